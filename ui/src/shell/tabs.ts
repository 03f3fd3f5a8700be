import { useEffect, useState } from "react";
import { recall, remember } from "../browser/storage";

/** An opened screen: its path, and the filters it was left with. */
export interface Tab {
  path: string;
  search: string;
}

/** The opened screens in the order they stand, and their paths from most to least recently used. */
export interface Tabs {
  open: readonly Tab[];
  recent: readonly string[];
}

const NONE: Tabs = { open: [], recent: [] };

/** How many screens are open at once. */
const MOST = 10;

/**
 * Opens a screen, or returns to it, and keeps its filters. Of too many the one not used for longest is closed. Whoever goes through a
 * list stays in one tab: a screen that is shown instead of another takes its place.
 */
export function visit(before: Tabs, tab: Tab, insteadOf?: string): Tabs {
  const tabs = insteadOf === undefined || insteadOf === tab.path ? before : replaced(before, insteadOf, tab);
  const known = tabs.open.some(({ path }) => path === tab.path);
  const recent = [tab.path, ...tabs.recent.filter((path) => path !== tab.path)].slice(0, MOST);
  const open = known ? tabs.open.map((other) => (other.path === tab.path ? tab : other)) : [...tabs.open, tab];
  return { open: open.filter(({ path }) => recent.includes(path)), recent };
}

function replaced(tabs: Tabs, path: string, by: Tab): Tabs {
  if (tabs.open.some((other) => other.path === by.path)) return close(tabs, path);
  return { ...close(tabs, path), open: tabs.open.map((other) => (other.path === path ? by : other)) };
}

/** Closes a screen. */
export function close(tabs: Tabs, path: string): Tabs {
  return {
    open: tabs.open.filter((tab) => tab.path !== path),
    recent: tabs.recent.filter((other) => other !== path),
  };
}

/** The screen used last. */
export function latest(tabs: Tabs): Tab | undefined {
  return tabs.open.find((tab) => tab.path === tabs.recent[0]);
}

function stored(key: string): Tabs {
  try {
    const { open, recent } = JSON.parse(recall("localStorage", key) ?? "{}") as Partial<Tabs>;
    if (!Array.isArray(open) || !Array.isArray(recent)) return NONE;
    return { open: open as Tab[], recent: recent as string[] };
  } catch {
    return NONE;
  }
}

/** The opened screens of a person, remembered on this device. Screens the person may no longer see are dropped. */
export function useTabs(userId: string, allowed: (path: string) => boolean) {
  const key = `tabs.${userId}`;
  const [tabs, setTabs] = useState(() => {
    const known = stored(key);
    return known.open.filter(({ path }) => !allowed(path)).reduce((left, { path }) => close(left, path), known);
  });
  useEffect(() => remember("localStorage", key, JSON.stringify(tabs)), [key, tabs]);
  return [tabs, setTabs] as const;
}
