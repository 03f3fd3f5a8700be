import type { paths } from "../api/schema";
import type { Sort } from "./list-table";

export type SettledFilter = NonNullable<paths["/api/settlements"]["get"]["parameters"]["query"]>;

const WEEK = /^\d{4}-W\d{2}$/;
const SORTS = ["number", "name", "payout", "revenue"] as const;
type SortKey = (typeof SORTS)[number];

/** What a list of settled or paid settlements shows, by its address. */
export function settledQuery(page: "settled" | "paid", read: (name: string) => string) {
  const period = WEEK.test(read("period")) ? read("period") : "";
  // Of several periods the first; alone it says nothing.
  const since = period && WEEK.test(read("since")) && read("since") < period ? read("since") : "";
  const revoked = page === "settled" && read("show") === "revoked";
  // Settled, paid and revoked ones in one list, as statistics count them: only to look at.
  const all = page === "settled" && read("show") === "all";
  const [query, tag] = [read("q"), read("tag")];
  const wanted = read("sort") || "-number";
  const sort: Sort<SortKey> = {
    by: SORTS.find((key) => wanted.endsWith(key)) ?? "number",
    descending: wanted.startsWith("-"),
  };
  const narrowed = {
    ...(period && { period }),
    ...(since && { since }),
    ...(query.trim() && { query: query.trim().slice(0, 100) }),
    ...(tag && { tag }),
  };
  const chosen = {
    state: revoked ? "revoked" : all ? "" : page,
    ...narrowed,
    sort: sort.by,
    descending: sort.descending,
  } satisfies SettledFilter;
  return { since, period, query, tag, revoked, all, sort, narrowed, chosen };
}
