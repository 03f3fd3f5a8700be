import { ChevronDown, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Link } from "react-router";
import { Popover } from "../components/popover";
import type { Tab } from "./tabs";
import "./tab-bar.css";

export interface TabBarProps {
  tabs: readonly Tab[];
  current: string;
  titleOf: (tab: Tab) => string;
  onClose: (path: string) => void;
}

const address = (tab: Tab) => tab.path + tab.search;

/** The opened screens in one row. Arrow keys go along it, Delete closes; what does not fit is in a list at its end. */
export function TabBar({ tabs, current, titleOf, onClose }: TabBarProps) {
  const { t } = useTranslation("frame");
  const row = useRef<HTMLUListElement>(null);
  const overflows = useOverflow(row, tabs.length);
  const closable = tabs.length > 1;
  // Focus follows what is closed from the keyboard to the tab that takes its place.
  const refocus = useRef(false);
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>("[aria-current='page']");
    if (refocus.current) link?.focus();
    refocus.current = false;
    const tab = link?.closest("li");
    if (!tab || !row.current) return;
    const show = () => tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    show();
    // What stands beside the row comes later than the row and takes room from it, and titles change with the language.
    const observer = new ResizeObserver(show);
    observer.observe(row.current);
    observer.observe(tab);
    return () => observer.disconnect();
  }, [current, tabs]);

  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>("a")];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const tab = tabs[at];
    if (!tab) return;
    if (event.key === "Delete" && closable) {
      refocus.current = true;
      onClose(tab.path);
      return;
    }
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    links.at(to % links.length)?.focus();
  };

  const inRow = tabs.some((tab) => tab.path === current);
  return (
    <nav className="tab-bar" aria-label={t("tabs")}>
      <ul ref={row} className="tab-row" data-overflows={overflows || undefined} onKeyDown={move}>
        {tabs.map((tab, index) => {
          const active = tab.path === current;
          return (
            <li key={tab.path} className="tab" data-active={active || undefined}>
              <Link
                to={address(tab)}
                className="tab-link"
                tabIndex={active || (!inRow && index === 0) ? 0 : -1}
                {...(active && { "aria-current": "page" as const })}
                {...(closable && { "aria-keyshortcuts": "Delete" })}
              >
                {titleOf(tab)}
              </Link>
              {closable && <CloseTab title={titleOf(tab)} onClose={() => onClose(tab.path)} />}
            </li>
          );
        })}
      </ul>
      {overflows && <TabList tabs={tabs} current={current} titleOf={titleOf} onClose={onClose} shows="count" />}
    </nav>
  );
}

/** The opened screens behind one button: all there is room for on a phone, and the end of a row that is too long. */
export function TabList({ tabs, current, titleOf, onClose, shows }: TabBarProps & { shows: "current" | "count" }) {
  const { t } = useTranslation("frame");
  const here = tabs.find((tab) => tab.path === current);
  // Not every screen is a tab; where one is not, its title stands here all the same.
  const title = titleOf(here ?? { path: current, search: "" });
  const all = t("tabsAll", { count: tabs.length });
  if (here && tabs.length === 1) return <span className="tab-list-alone">{title}</span>;
  return (
    <Popover
      label={t("tabs")}
      triggerLabel={shows === "current" ? `${title}, ${all}` : all}
      triggerClass={`tab-list-button tab-list-button-${shows}`}
      align={shows === "current" ? "start" : "end"}
      trigger={
        <>
          {shows === "current" && <span className="tab-list-title">{title}</span>}
          <span className="tab-list-count">{tabs.length}</span>
          <ChevronDown aria-hidden size={14} strokeWidth={2} />
        </>
      }
    >
      {(close) => (
        <ul className="tab-list">
          {tabs.map((tab) => (
            <li key={tab.path}>
              <Link
                to={address(tab)}
                className="tab-list-link"
                onClick={close}
                {...(tab.path === current && { "aria-current": "page" as const })}
              >
                {titleOf(tab)}
              </Link>
              {tabs.length > 1 && <CloseTab title={titleOf(tab)} reachable onClose={() => onClose(tab.path)} />}
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

function CloseTab(props: { title: string; reachable?: boolean; onClose: () => void }) {
  const { t } = useTranslation("frame");
  return (
    <button
      type="button"
      className="tab-close"
      tabIndex={props.reachable ? 0 : -1}
      aria-label={t("closeTab", { title: props.title })}
      onClick={props.onClose}
    >
      <X aria-hidden size={14} strokeWidth={1.75} />
    </button>
  );
}

function useOverflow(row: React.RefObject<HTMLElement | null>, tabs: number): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const measure = () => setOverflows(element.scrollWidth > element.clientWidth + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [row, tabs]);
  return overflows;
}
