import { useQuery } from "@tanstack/react-query";
import { FileText, Search as SearchIcon, UserRound, Wallet } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { answer, api, type Body } from "../../api/client";
import { useCommand, useShortcut } from "../../browser/shortcuts";
import { Dialog } from "../../components/dialog";
import { day, daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import styles from "./search.module.css";

const SEARCH = "/api/search";
type Found = Body<typeof SEARCH>;

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** Finds drivers, settlements and files from every screen. The slash key opens it where a list has no search of its own. */
export function Search() {
  const { t } = useTranslation("frame");
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useShortcut(
    "/",
    () => setOpen(true),
    () => !document.querySelector("main [role='search'] input"),
  );
  useCommand("k", () => setOpen(true));
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button ref={button} type="button" className={styles.open} aria-label={t("search")} onClick={() => setOpen(true)}>
        <SearchIcon {...ICON} size={18} />
        <span>{t("search")}</span>
      </button>
      {open && (
        <Dialog title={t("search")} onClose={close}>
          <Results onLeave={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function Results({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation("frame");
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: [SEARCH, query],
    enabled: query !== "",
    queryFn: ({ signal }) => answer(api.GET(SEARCH, { signal, params: { query: { q: query } } })),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a, input") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    event.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus();
  };
  const data = query === "" ? undefined : found.data;
  const none = data && data.drivers.length + data.settlements.length + data.files.length === 0;
  return (
    <div ref={list} className={styles.search} role="search" onKeyDown={move}>
      <input
        type="text"
        inputMode="search"
        autoComplete="off"
        spellCheck={false}
        // The dialog was opened to type here. React's own autoFocus comes before the browser opens the dialog and looks for this.
        ref={(field) => field?.setAttribute("autofocus", "")}
        aria-label={t("searchLabel")}
        placeholder={t("searchLabel")}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") list.current?.querySelector<HTMLElement>("a")?.click();
        }}
      />
      <div aria-live="polite" className={styles.found} data-stale={found.isPlaceholderData || undefined}>
        {query === "" ? (
          <p>{t("searchStart")}</p>
        ) : found.error && !data ? (
          <p role="alert">{t("searchFailed")}</p>
        ) : none ? (
          <p>{t("searchNone", { query })}</p>
        ) : (
          data && <Kinds found={data} onLeave={onLeave} />
        )}
      </div>
    </div>
  );
}

function Kinds({ found, onLeave }: { found: Found; onLeave: () => void }) {
  const { t } = useTranslation("frame");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full } = useAmounts();
  return (
    <>
      <Kind title={t("searchDrivers")} empty={found.drivers.length === 0}>
        {found.drivers.map(({ id, firstName, lastName }) => (
          <Link key={id} to={`/drivers/${id}`} onClick={onLeave}>
            <UserRound {...ICON} />
            <span>
              {lastName} {firstName}
            </span>
          </Link>
        ))}
      </Kind>
      <Kind title={t("searchSettlements")} empty={found.settlements.length === 0}>
        {found.settlements.map((one) => (
          <Link key={one.id} to={`/transactions/summary/${one.driverId}/${one.id}`} onClick={onLeave}>
            <Wallet {...ICON} />
            <span>
              {one.lastName} {one.firstName}
              <small>
                {t("searchNumber", { number: one.number })}, {daySpan(one.firstOn, one.lastOn, language)}
              </small>
            </span>
            <b>{full(one.payout)}</b>
          </Link>
        ))}
      </Kind>
      <Kind title={t("searchFiles")} empty={found.files.length === 0}>
        {found.files.map(({ id, fileName, uploadedAt }) => (
          <Link key={id} to={`/log/${id}`} onClick={onLeave}>
            <FileText {...ICON} />
            <span>
              {fileName}
              <small>{day(uploadedAt, language, timeZone)}</small>
            </span>
          </Link>
        ))}
      </Kind>
    </>
  );
}

function Kind({ title, empty, children }: { title: string; empty: boolean; children: ReactNode }) {
  if (empty) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
