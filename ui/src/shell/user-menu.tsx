import { Building2, ChevronDown, KeyRound, LogOut, Monitor, Moon, Sun, Ticket } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useLocation, useNavigate } from "react-router";
import { setShortcuts, shortcutsOn } from "../browser/shortcuts";
import { waitingOf } from "../browser/storage";
import { Menu, MenuGroup, MenuItem } from "../components/menu";
import { useAppearance } from "../components/appearance";
import { LanguageItems } from "./language-items";
import { type Session, useKnownSession } from "../session/session";

const Leave = lazy(async () => (await import("../driver/tracking/screens")).leave());

const modes = [
  { choice: "light", icon: Sun },
  { choice: "dark", icon: Moon },
  { choice: "system", icon: Monitor },
] as const;

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toLocaleUpperCase())
    .join("");

/** Who is signed in, and what everybody may set for themselves. */
export function UserMenu({ session, onNavigate }: { session: Session; onNavigate?: () => void }) {
  const { t } = useTranslation(["frame", "home", "partner"]);
  const navigate = useNavigate();
  const { signOut, changePassword } = useKnownSession();
  const { pathname, search } = useLocation();
  const { choice, choose } = useAppearance();
  const [shortcuts, setOn] = useState(shortcutsOn);
  const [leaving, setLeaving] = useState(false);
  const { user } = session;
  const place = session.partner?.name ?? user.email;
  return (
    <>
      <Menu
        label={t("account", { name: user.name, partner: place })}
        placement="above"
        triggerClass="user"
        trigger={
          <>
            <span className="user-picture">{initials(user.name)}</span>
            <span className="user-names">
              <b>{user.name}</b>
              <span>{place}</span>
            </span>
            <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
          </>
        }
      >
        <MenuGroup label={t("language")}>
          <LanguageItems />
        </MenuGroup>
        <MenuGroup label={t("appearance")}>
          {modes.map((mode) => (
            <MenuItem
              key={mode.choice}
              kind="radio"
              icon={mode.icon}
              checked={choice === mode.choice}
              onSelect={() => choose(mode.choice)}
            >
              {t(mode.choice)}
            </MenuItem>
          ))}
        </MenuGroup>
        <MenuGroup label={t("keyboard")}>
          <MenuItem
            kind="checkbox"
            checked={shortcuts}
            onSelect={() => {
              setShortcuts(!shortcuts);
              setOn(!shortcuts);
            }}
          >
            {t("shortcuts")}
          </MenuItem>
        </MenuGroup>
        {session.may("partner.read") && (
          <MenuItem
            icon={Building2}
            onSelect={() => {
              onNavigate?.();
              void navigate("/profile");
            }}
          >
            {t("partner:title")}
          </MenuItem>
        )}
        {session.may("licences.read") && (
          <MenuItem
            icon={Ticket}
            onSelect={() => {
              onNavigate?.();
              void navigate("/licenses/purchase");
            }}
          >
            {t("home:licence")}
          </MenuItem>
        )}
        <MenuItem icon={KeyRound} onSelect={() => changePassword(pathname + search)}>
          {t("changePassword")}
        </MenuItem>
        <MenuItem icon={LogOut} onSelect={() => (waitingOf(user.id) > 0 ? setLeaving(true) : signOut())}>
          {t("signOut")}
        </MenuItem>
      </Menu>
      <Suspense>{leaving && <Leave onClose={() => setLeaving(false)} />}</Suspense>
    </>
  );
}
