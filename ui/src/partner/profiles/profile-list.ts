import { useSearchParams } from "react-router";
import type { Counts, Filter } from "./queries";

/** How many people a page holds. */
export const SIZE = 50;

/** The most that is linked or blocked at once. */
export const MANY = 500;

export const tabs = ["email", "new", "blocked"] as const satisfies readonly (keyof Counts)[];

export type Tab = (typeof tabs)[number];

export const links = ["", "no", "yes"] as const;

type Links = (typeof links)[number];

/** What the screen shows, kept in the address: back, reload and a shared link all bring it again. */
export function useProfileList() {
  const [params, setParams] = useSearchParams();
  const tab = tabs.find((name) => name === params.get("tab")) ?? "email";
  const linked = tab === "email" ? (links.find((name) => name === params.get("linked")) ?? "") : "";
  const query = params.get("q") ?? "";
  const page = Math.max(1, Math.trunc(Number(params.get("page")) || 1));
  // At once, not as a transition: the search field shows what is in the address. Another filter begins at its first page.
  const set = (changes: Record<string, string>, replace = true) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ page: "", ...changes }))
          if (value) after.set(name, value);
          else after.delete(name);
        return after;
      },
      { replace, preventScrollReset: true, flushSync: true },
    );
  const kept = { page: page > 1 ? String(page) : "" };
  const filter: Filter = {
    tab,
    ...(query.trim() && { q: query.trim().slice(0, 100) }),
    ...(linked && { linked }),
    page,
    size: SIZE,
  };
  return {
    ...{ filter, tab, linked, query, page },
    filtered: query.trim() !== "" || linked !== "",
    /** The profile that is being linked, and the driver it was begun from. */
    linking: params.get("link") ?? "",
    from: params.get("driver") ?? "",
    setTab: (to: Tab) => set({ tab: to === "email" ? "" : to, linked: "" }, false),
    setLinked: (to: Links) => set({ linked: to }),
    setQuery: (q: string) => set({ q }),
    setPage: (to: number) => set({ page: to > 1 ? String(to) : "" }, false),
    openLink: (profile: string) => set({ link: profile, driver: "", ...kept }, false),
    closeLink: () => set({ link: "", driver: "", ...kept }),
    clear: () => set({ q: "", linked: "" }),
  };
}
