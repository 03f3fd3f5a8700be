import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import type { SettledFilter } from "../../kit/settled-query";

const SETTLED = "/api/settlements";

type SettledPage = Body<typeof SETTLED>;
export type Settled = SettledPage["items"][number];
export type Outcomes = components["schemas"]["SettlementOutcomes"];
export type Outcome = Outcomes["outcomes"][number];

const LARGEST_PAGE = 200;

/** One page of what is settled, paid or revoked. */
export function useSettled(query: SettledFilter) {
  return useQuery({
    queryKey: [SETTLED, query],
    queryFn: ({ signal }) => answer(api.GET(SETTLED, { signal, params: { query } })),
    placeholderData: keepPreviousData,
    // A mail on its way arrives or fails without anybody doing something here.
    refetchInterval: ({ state }) => (state.data?.items.some(({ bill }) => bill?.state === "queued") ? 5_000 : false),
  });
}

/** Everything that a filter leaves, page after page. */
export async function allSettled(query: Omit<SettledFilter, "page" | "size">): Promise<Settled[]> {
  const found: Settled[] = [];
  for (let page = 1; ; page++) {
    const { items, totals } = await answer(
      api.GET(SETTLED, { params: { query: { ...query, page, size: LARGEST_PAGE } } }),
    );
    found.push(...items);
    if (items.length === 0 || page * LARGEST_PAGE >= totals.count) return found;
  }
}

/** What revoking a settlement takes back. */
export const undoingOf = (id: string) => ({
  queryKey: ["/api/settlements/{id}/undoing", id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    answer(api.GET("/api/settlements/{id}/undoing", { signal, params: { path: { id } } })),
});

export const pay = (ids: string[], paidOn: string) =>
  answer(api.POST("/api/settlements/pay", { body: { ids, paidOn } }));
export const unpay = (ids: string[]) => answer(api.POST("/api/settlements/unpay", { body: { ids } }));
export const revoke = (ids: string[], reason: string) =>
  answer(api.POST("/api/settlements/revoke", { body: { ids, reason } }));
/** Issues the bill or invoice of each. */
export const issue = (ids: string[]) => answer(api.POST("/api/billing-documents", { body: { ids } }));
export const carry = (ids: string[]) => answer(api.POST("/api/settlements/carry", { body: { ids } }));
export const share = (ids: string[]) => answer(api.POST("/api/settlements/share", { body: { ids } }));
