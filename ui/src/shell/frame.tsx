import { Bell as BellIcon, CircleCheck, Ellipsis, Info, Menu as MenuIcon, X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, lazy, Suspense } from "react";
import { useTranslation } from "../i18n/translation";
import { NavLink, useLocation, useNavigate } from "react-router";
import { NARROW, PHONE, useMedia } from "../browser/media";
import { useScreenNames } from "../components/screen-name";
import { useToasts } from "../components/toasts";
import type { Arrival } from "../session/auth";
import { useShell } from "../session/worker";
import { Brand } from "./brand";
import { menuOf, screenAt, useScreenText } from "./routes";
import { type Session, useKnownSession } from "../session/session";
import type { TabBarProps } from "./tab-bar";
import { close, latest, type Tab, useTabs, visit } from "./tabs";
import "./frame.css";

// Not for every screen: a driver's phone has its menu at the bottom and waits for none of these.
const Sidebar = lazy(async () => ({ default: (await import("./wide")).Sidebar }));
const TabBar = lazy(async () => ({ default: (await import("./wide")).TabBar }));
const TabList = lazy(async () => ({ default: (await import("./wide")).TabList }));

// Not for every person: whoever has none of these need not wait for them.
const Remaining = lazy(async () => ({ default: (await import("../partner/settlements/remaining")).Remaining }));
const TermsGate = lazy(async () => ({ default: (await import("../partner/terms/terms-gate")).TermsGate }));
const LanguageMenu = lazy(async () => ({ default: (await import("./language-menu")).LanguageMenu }));
const Search = lazy(async () => ({ default: (await import("../partner/search/search")).Search }));
const Bell = lazy(async () => ({ default: (await import("../partner/jobs/bell")).Bell }));
const Line = lazy(async () => (await import("../driver/tracking/screens")).line());
const QuestionsBell = lazy(async () => ({
  default: (await import("../partner/questions/questions-bell")).QuestionsBell,
}));

/** Whether a driver writes down trips or working time. */
const tracks = ({ driver }: Session) => driver?.functions.some((one) => one === 1 || one === 2) === true;

/** How many screens a driver's phone shows beside the button for the rest. */
const BOTTOM_MOST = 3;

/** What stands around every screen of a person who is signed in. */
export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const { t } = useTranslation("frame");
  const narrow = useMedia(NARROW);
  const phone = useMedia(PHONE);
  const tabs = useOpenTabs(session);
  const { signOut } = useKnownSession();
  usePasswordNews();
  useShell(tracks(session));
  // The whole menu is here before the line is lost, and after the first screen.
  useEffect(() => void import("./wide").catch(() => undefined), []);
  const waiting = session.role === "partner" ? (session.partner?.openQuestions ?? 0) : 0;
  // A driver's phone has the menu at the bottom, under the thumb, and no opened screens.
  const thumb = phone && session.driver !== null;
  return (
    <div className="frame">
      <SkipLink />
      <Suspense>{session.may("terms.read") && <TermsGate onLeave={() => signOut()} />}</Suspense>
      {!narrow && (
        <Suspense fallback={<div className="sidebar" />}>
          <Sidebar session={session} />
        </Suspense>
      )}
      <div className="frame-body">
        <header className="top-bar">
          {narrow && !thumb && (
            <MenuDrawer session={session} className="icon-button" label={t("openMenu")}>
              <MenuIcon aria-hidden size={20} strokeWidth={1.75} />
            </MenuDrawer>
          )}
          {phone && !thumb ? (
            <div className="top-bar-place">
              <Suspense>{tabs.tabs.length > 0 && <TabList {...tabs} shows="current" />}</Suspense>
            </div>
          ) : narrow ? (
            <Brand partner={session.partner} />
          ) : (
            <Suspense>
              <TabBar {...tabs} />
            </Suspense>
          )}
          <div className="top-bar-end">
            <Suspense>
              {session.may("limits.read") && <Remaining />}
              {session.partner?.features.includes("language_selector") && <LanguageMenu />}
              {session.may("drivers.read") && <Search />}
              {session.may("jobs.read") && <Bell />}
              {waiting > 0 && <QuestionsBell waiting={waiting} />}
            </Suspense>

            {session.driver?.notes && <BoardBell unread={session.driver.unreadNotes} />}
          </div>
          <Suspense>{narrow && !phone && <TabBar {...tabs} />}</Suspense>
        </header>
        <main id="content" className="panel" tabIndex={-1}>
          <Suspense>{session.driver && <Line tracks={tracks(session)} />}</Suspense>
          {children}
        </main>
        {thumb && <BottomBar session={session} />}
      </div>
    </div>
  );
}

/** How many notes a driver has not read, and the way to the board. */
function BoardBell({ unread }: { unread: number }) {
  const { t } = useTranslation("frame");
  return (
    <NavLink to="/driver/board" className="icon-button board-bell" aria-label={t("bellBoard", { number: unread })}>
      <BellIcon aria-hidden size={20} strokeWidth={1.75} />
      {unread > 0 && <span className="board-bell-count">{unread > 99 ? "99+" : unread}</span>}
    </NavLink>
  );
}

// Said once for each page load, however often the frame is built anew.
const told = new WeakSet<Arrival>();

/** Says how changing the password ended when that is where the person comes from. */
function usePasswordNews() {
  const { t } = useTranslation("frame");
  const { arrival } = useKnownSession();
  const show = useToasts();
  const tell = useEffectEvent(() => {
    if (!arrival.password || told.has(arrival)) return;
    told.add(arrival);
    const changed = arrival.password === "success";
    const Icon = changed ? CircleCheck : Info;
    show(6, () => (
      <>
        <Icon
          aria-hidden
          size={20}
          strokeWidth={1.75}
          className={`toast-icon ${changed ? "toast-icon-success" : "toast-icon-warning"}`}
        />
        <div className="toast-text">{t(changed ? "passwordChanged" : "passwordKept")}</div>
      </>
    ));
  });
  useEffect(() => tell(), []);
}

/** What stands around a screen that anybody may see. */
export function BareFrame({ children }: { children: ReactNode }) {
  return (
    <div className="bare-frame">
      <Brand />
      <main id="content">{children}</main>
    </div>
  );
}

function SkipLink() {
  const { t } = useTranslation();
  return (
    <a className="skip-link" href="#content" onClick={skip}>
      {t("skip")}
    </a>
  );
}

function skip(event: React.MouseEvent) {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function useOpenTabs(session: Session): TabBarProps {
  const text = useScreenText();
  const names = useScreenNames();
  const navigate = useNavigate();
  const location = useLocation();
  const { pathname, search } = location;
  const insteadOf = (location.state as { insteadOf?: string } | null)?.insteadOf;
  const [tabs, setTabs] = useTabs(session.user.id, (path) => {
    const screen = screenAt(path);
    return screen !== undefined && screen.tab && screen.access !== "public" && session.may(screen.access);
  });
  useEffect(() => {
    if (screenAt(pathname)?.tab) setTabs((before) => visit(before, { path: pathname, search }, insteadOf));
  }, [pathname, search, insteadOf, setTabs]);

  return {
    tabs: tabs.open,
    current: pathname,
    titleOf: ({ path }: Tab) => {
      const name = names.get(path);
      if (name) return name;
      const title = screenAt(path)?.title;
      return title ? text(title) : path;
    },
    onClose: (path) => {
      const left = close(tabs, path);
      setTabs(left);
      const next = latest(left);
      if (path === pathname) void navigate(next ? next.path + next.search : "/");
    },
  };
}

/** The menu of a driver's phone: what fits, and all of it behind the last button. */
function BottomBar({ session }: { session: Session }) {
  const { t } = useTranslation("frame");
  const text = useScreenText();
  return (
    <nav className="bottom-bar" aria-label={t("mainMenu")}>
      {menuOf(session)
        .slice(0, BOTTOM_MOST)
        .map(({ path, label, short, icon: Icon }) => (
          <NavLink key={path} to={path} className="bottom-bar-item">
            <Icon aria-hidden size={22} strokeWidth={1.75} />
            {text(short ?? label)}
          </NavLink>
        ))}
      <MenuDrawer session={session} className="bottom-bar-item">
        <Ellipsis aria-hidden size={22} strokeWidth={1.75} />
        {t("more")}
      </MenuDrawer>
    </nav>
  );
}

function MenuDrawer(props: { session: Session; className: string; label?: string; children: ReactNode }) {
  const { session } = props;
  const { t } = useTranslation("frame");
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  const shut = () => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        className={props.className}
        {...(props.label && { "aria-label": props.label })}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        {props.children}
      </button>
      {open && (
        <dialog
          ref={dialog}
          className="menu-drawer"
          aria-label={t("mainMenu")}
          onClose={() => setOpen(false)}
          onClick={(event) => {
            if (event.target === event.currentTarget) shut();
          }}
        >
          <button type="button" className="icon-button menu-drawer-close" aria-label={t("closeMenu")} onClick={shut}>
            <X aria-hidden size={20} strokeWidth={1.75} />
          </button>
          <Suspense>
            <Sidebar session={session} onNavigate={shut} />
          </Suspense>
        </dialog>
      )}
    </>
  );
}
