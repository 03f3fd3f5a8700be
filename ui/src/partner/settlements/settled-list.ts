import type { Sort } from "../../kit/list-table";
import { type SettledFilter, settledQuery } from "../../kit/settled-query";
import { SIZE, useAddress } from "./address";

/** What the list of settled or paid settlements shows, kept in the address. */
export function useSettledList(page: "settled" | "paid") {
  const { read, set, page: at } = useAddress();
  const shown = settledQuery(page, read);
  return {
    ...shown,
    page: at,
    filter: { ...shown.chosen, page: at, size: SIZE } satisfies SettledFilter,
    filterKey: JSON.stringify(shown.narrowed),
    filtered: Object.keys(shown.narrowed).length > 0,
    setPeriod: (code: string) => set({ period: code, since: "" }, false),
    setQuery: (q: string) => set({ q }),
    setTag: (id: string) => set({ tag: id }),
    setAll: (all: boolean) => set({ show: all ? "all" : "" }, false),
    setRevoked: (only: boolean) => set({ show: only ? "revoked" : "" }, false),
    setSort: ({ by, descending }: Sort) => set({ sort: `${descending ? "-" : ""}${by}` }),
    setPage: (to: number, replace = false) => set({ page: to > 1 ? String(to) : "" }, replace),
    clear: () => set({ q: "", tag: "", period: "", since: "" }),
  };
}
