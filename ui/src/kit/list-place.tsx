import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import type { components } from "../api/schema";
import { shortcutsOn, useShortcut } from "../browser/shortcuts";
import { count } from "../format/number";
import { useLanguage } from "../i18n";
import styles from "./list-place.module.css";

/** Where something stands in the list that it was opened from. */
export type Place = components["schemas"]["ListPlace"];
type Neighbour = NonNullable<Place["next"]>;

const LIST = "list";

/** What an address of this list's rows ends with, so that an opened row knows the list: its filter and its order. */
export function useListMark(): string {
  const { pathname, search } = useLocation();
  return `?${LIST}=${encodeURIComponent(pathname + search)}`;
}

/** The list that the screen was opened from, if it is one of these. It is part of the address: reload, tabs and a shared link keep it. */
export function useOpenedList<Path extends string>(...paths: readonly Path[]) {
  const [params] = useSearchParams();
  const address = params.get(LIST) ?? "";
  const [path, search = ""] = address.split("?", 2);
  const known = paths.find((one) => one === path);
  return known === undefined ? undefined : { address, path: known, params: new URLSearchParams(search) };
}

interface ListPlaceProps {
  /** As it was asked for: what is known of the one before stays on screen, but nobody is led on by it. */
  place: { data: Place | undefined; isPlaceholderData: boolean };
  /** The path of a neighbour, without what follows it. */
  pathOf: (of: Neighbour) => string;
}

const KEYS = { previous: "k", next: "j" } as const;

/** One forward, one back through the list that something was opened from, and where in it this is. */
export function ListPlace({ place: { data, isPlaceholderData }, pathOf }: ListPlaceProps) {
  const { t } = useTranslation("common");
  const language = useLanguage();
  const navigate = useNavigate();
  const { search, pathname } = useLocation();
  // The list stays one step back, and the screen keeps its tab, however far somebody goes through it.
  const go = (to: Neighbour | null | undefined) => {
    if (to && !isPlaceholderData) void navigate(pathOf(to) + search, { replace: true, state: { insteadOf: pathname } });
  };
  useShortcut(KEYS.previous, () => go(data?.previous));
  useShortcut(KEYS.next, () => go(data?.next));
  const step = (way: "previous" | "next") => {
    const to = data?.[way];
    const Icon = way === "next" ? ChevronRight : ChevronLeft;
    const name = t(way === "next" ? "listNext" : "listPrevious") + (to ? `: ${to.lastName} ${to.firstName}` : "");
    return (
      <button
        type="button"
        // It keeps the focus at the end of the list.
        aria-disabled={!to}
        aria-label={name}
        title={shortcutsOn() ? `${name} (${KEYS[way]})` : name}
        {...(shortcutsOn() && { "aria-keyshortcuts": KEYS[way] })}
        onClick={() => go(to)}
      >
        <Icon aria-hidden size={16} strokeWidth={1.75} />
      </button>
    );
  };
  return (
    <div className={styles.place} role="group" aria-label={t("listPlace")} aria-busy={!data || isPlaceholderData}>
      {step("previous")}
      <span aria-live="polite">
        {data &&
          (data.position > 0
            ? t("listAt", { position: count(data.position, language), total: count(data.total, language) })
            : t("listLeft"))}
      </span>
      {step("next")}
    </div>
  );
}
