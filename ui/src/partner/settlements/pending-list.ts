import type { Sort } from "../../kit/list-table";
import { SIZE, useAddress } from "./address";
import type { Period } from "../../kit/periods";
import type { PendingFilter, Selection } from "./queries";

const WEEK = /^\d{4}-W\d{2}$/;
const AMOUNT = /^-?\d{1,15}$/;
const SORTS = ["name", "payout", "revenue"] as const;
type SortKey = (typeof SORTS)[number];

/** What the list of pending settlements shows, kept in the address. */
export function usePendingList(periods: readonly Period[] | undefined) {
  const { read, set, page } = useAddress();
  const asked = WEEK.test(read("period")) ? read("period") : "";
  // The running week is not over: screens begin with the one before it.
  const period = asked || (periods?.[1] ?? periods?.[0])?.code;
  const amount = (name: string) => (AMOUNT.test(read(name)) ? read(name) : "");
  const schema = Math.max(0, Math.trunc(Number(read("schema")) || 0));
  const [tag, warning, least, most] = [read("tag"), read("warning"), amount("least"), amount("most")];
  const query = read("q");
  const wanted = read("sort") || "name";
  const sort: Sort<SortKey> = {
    by: SORTS.find((key) => wanted.endsWith(key)) ?? "name",
    descending: wanted.startsWith("-"),
  };
  const narrowed = {
    ...(query.trim() && { query: query.trim().slice(0, 100) }),
    ...(tag && { tag }),
    ...(schema > 0 && { schema }),
    ...(least && { least }),
    ...(most && { most }),
    ...(warning && { warning }),
  };
  const chosen = period === undefined ? undefined : ({ period, ...narrowed } satisfies Selection);
  return {
    ...{ period, query, tag, schema, warning, least, most, sort, page },
    /** Whom the filter leaves, on however many pages. */
    chosen,
    filter: chosen && ({ ...chosen, sort: sort.by, descending: sort.descending, page, size: SIZE } as PendingFilter),
    /** What narrows the list, so that two filters can be distinguished. */
    filterKey: JSON.stringify(narrowed),
    filtered: Object.keys(narrowed).length > 0,
    run: read("run"),
    /** Whom another screen wants to settle. */
    settle: read("settle"),
    setPeriod: (code: string) => set({ period: code, run: "" }, false),
    setQuery: (q: string) => set({ q }),
    setTag: (id: string) => set({ tag: id }),
    setSchema: (number: string) => set({ schema: number }),
    setWarning: (code: string) => set({ warning: code }),
    setAmounts: (from: string, to: string) => set({ least: from, most: to }),
    setSort: ({ by, descending }: Sort) => set({ sort: `${descending ? "-" : ""}${by}` }),
    setPage: (to: number, replace = false) => set({ page: to > 1 ? String(to) : "" }, replace),
    setRun: (id: string) =>
      set({ run: id, settle: "", page: page > 1 ? String(page) : "" }, id === "" || read("settle") !== ""),
    /** Leaves a run and shows whom one of its lines is about. */
    showOf: (code: string) => set({ warning: code, run: "" }, false),
    clear: () => set({ q: "", tag: "", schema: "", warning: "", least: "", most: "" }),
  };
}

export type PendingList = ReturnType<typeof usePendingList>;
