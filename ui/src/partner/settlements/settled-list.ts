import type { Sort } from "../../kit/list-table";
import { SIZE, useAddress } from "./address";
import type { SettledFilter } from "./settled-queries";

const WEEK = /^\d{4}-W\d{2}$/;
const SORTS = ["number", "name", "payout", "revenue"] as const;
type SortKey = (typeof SORTS)[number];

/** What the list of settled or paid settlements shows, kept in the address. */
export function useSettledList(page: "settled" | "paid") {
  const { read, set, page: at } = useAddress();
  const period = WEEK.test(read("period")) ? read("period") : "";
  const revoked = page === "settled" && read("show") === "revoked";
  const [query, tag] = [read("q"), read("tag")];
  const wanted = read("sort") || "-number";
  const sort: Sort<SortKey> = {
    by: SORTS.find((key) => wanted.endsWith(key)) ?? "number",
    descending: wanted.startsWith("-"),
  };
  const narrowed = {
    ...(period && { period }),
    ...(query.trim() && { query: query.trim().slice(0, 100) }),
    ...(tag && { tag }),
  };
  const chosen = {
    state: revoked ? "revoked" : page,
    ...narrowed,
    sort: sort.by,
    descending: sort.descending,
  } satisfies SettledFilter;
  return {
    ...{ period, query, tag, revoked, sort, page: at, chosen, narrowed },
    filter: { ...chosen, page: at, size: SIZE } satisfies SettledFilter,
    filterKey: JSON.stringify(narrowed),
    filtered: Object.keys(narrowed).length > 0,
    setPeriod: (code: string) => set({ period: code }, false),
    setQuery: (q: string) => set({ q }),
    setTag: (id: string) => set({ tag: id }),
    setRevoked: (only: boolean) => set({ show: only ? "revoked" : "" }, false),
    setSort: ({ by, descending }: Sort) => set({ sort: `${descending ? "-" : ""}${by}` }),
    setPage: (to: number, replace = false) => set({ page: to > 1 ? String(to) : "" }, replace),
    clear: () => set({ q: "", tag: "", period: "" }),
  };
}
