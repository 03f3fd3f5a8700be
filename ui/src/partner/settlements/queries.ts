import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { providerName } from "../../i18n/provider-name";
import type { components, paths } from "../../api/schema";
import { useWrite } from "../../api/write";
import { useSession } from "../../session/session";

const LICENCE = "/api/licences";
const PENDING = "/api/settlements/pending";
const SETTLED = "/api/settlements";
const RUNS = "/api/settlement-runs";
const RUN = "/api/settlement-runs/{id}";

type PendingPage = Body<typeof PENDING>;
export type Pending = PendingPage["items"][number];
export type PendingTotals = PendingPage["totals"];
export type Warning = Pending["warnings"][number];
export type App = Pending["apps"][number];
export type PendingFilter = NonNullable<paths[typeof PENDING]["get"]["parameters"]["query"]>;
export type Selection = components["schemas"]["SettlementSelection"];
export type Run = Body<typeof RUN>;
export type RunDriver = Run["notSettled"][number];
export type Check = Run["checks"][number];

/** What a settlement, or taking one back, makes stale: the lists, what is left of the licence, transactions, drivers. */
const TOUCHED = [SETTLED, RUNS, LICENCE, "/api/transactions", "/api/drivers"] as const satisfies (keyof paths)[];

/** How many settlements the partner's licence still allows. */
export function useLimits() {
  return useQuery({
    queryKey: [LICENCE],
    queryFn: ({ signal }) => answer(api.GET(LICENCE, { signal })),
  });
}

/** One page of what is pending in a period; the page before stays on screen until it is here. */
export function usePending(query: PendingFilter | undefined) {
  return useQuery({
    queryKey: [PENDING, query],
    enabled: query !== undefined,
    queryFn: ({ signal }) => answer(api.GET(PENDING, { signal, params: { query: query ?? { period: "" } } })),
    placeholderData: keepPreviousData,
    // It is computed of what others write too: whoever comes back sees it as it is now.
    staleTime: 0,
  });
}

/** Everybody whom a filter leaves and who can be settled, with what they are paid. */
export async function allPending(query: Omit<PendingFilter, "page" | "size">): Promise<Map<string, number>> {
  const { items } = await answer(api.GET("/api/settlements/pending/payable", { params: { query } }));
  return new Map(items.map(({ driverId, payout }) => [driverId, payout]));
}

export const usePreviewRun = () => useWrite(RUNS, (body: Selection) => answer(api.POST(RUNS, { body })));

/** A dry run and what became of it; asked for once a second while it works. */
export function useRun(id: string) {
  return useQuery({
    queryKey: [RUN, id],
    enabled: id !== "",
    queryFn: ({ signal }) => answer(api.GET(RUN, { signal, params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? 1_000 : false),
  });
}

export const useStartRun = (id: string) =>
  useWrite(RUNS, (body: components["schemas"]["SettlementStart"]) =>
    answer(api.POST("/api/settlement-runs/{id}/start", { params: { path: { id } }, body })),
  );

/** Has everything read again that settling touches. */
export function useTouched() {
  const cache = useQueryClient();
  return () =>
    cache.invalidateQueries({
      predicate: ({ queryKey }) => TOUCHED.some((path) => path !== RUNS && String(queryKey[0]).startsWith(path)),
    });
}

/** How many are settled in a period; empty: in all. */
export function useSettledCount(state: "settled" | "paid", period: string | undefined) {
  return useQuery({
    queryKey: [SETTLED, "count", state, period],
    enabled: period !== undefined,
    queryFn: ({ signal }) =>
      answer(api.GET(SETTLED, { signal, params: { query: { state, period: period ?? "", size: 1 } } })),
    select: ({ totals }) => totals.count,
  }).data;
}

export function useTagChoices() {
  const mayRead = useSession().may("tags.read");
  return useQuery({
    queryKey: ["/api/tags"],
    enabled: mayRead,
    queryFn: ({ signal }) => answer(api.GET("/api/tags", { signal })),
    select: ({ tags }) => tags,
  });
}

export function useSchemaChoices() {
  const mayRead = useSession().may("schemas.read");
  return useQuery({
    queryKey: ["/api/settlement-schemas"],
    enabled: mayRead,
    queryFn: ({ signal }) => answer(api.GET("/api/settlement-schemas", { signal })),
    select: ({ schemas }) => schemas,
  });
}

/** What providers are called. */
export function useProviderName() {
  const mayRead = useSession().may("lookups.read");
  const { data } = useQuery({
    queryKey: ["/api/providers"],
    enabled: mayRead,
    queryFn: ({ signal }) => answer(api.GET("/api/providers", { signal })),
    select: ({ providers }) => new Map(providers.map((one) => [one.code, providerName(one)])),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (code: string) => data?.get(code) ?? code;
}
