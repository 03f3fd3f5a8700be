import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../api/client";
import { providerName } from "../i18n/provider-name";
import type { components } from "../api/schema";
import { useWrite } from "../api/write";

type Schemas = components["schemas"];
export type Settled = Schemas["SettledSettlement"];
export type Explanation = Schemas["Explanation"];
export type Part = Schemas["Part"];
export type Line = Schemas["SettlementLine"];
export type Row = Schemas["ExplainedRow"];
export type Compared = NonNullable<Schemas["ComparedSettlement"]>;

/** A driver's period with everything behind it; without a settled one it is pending. */
export type Explained = Schemas["ExplainedSettlement"];

const ONE = "/api/settlements/{id}";
const PENDING = "/api/drivers/{id}/pending-settlement";
const OWN = "/api/driver-accounts/settlements";

/** The settlement with an id, or else what a driver has pending in a period. */
export function useExplained(driver: string, settlement: string, period: string) {
  return useQuery({
    queryKey: settlement ? [ONE, settlement] : [PENDING, driver, period],
    enabled: settlement !== "" || period !== "",
    queryFn: async ({ signal }): Promise<Explained> =>
      settlement
        ? answer(api.GET(ONE, { signal, params: { path: { id: settlement } } }))
        : answer(api.GET(PENDING, { signal, params: { path: { id: driver }, query: { period } } })),
  });
}

/** The weeks that can be settled; screens begin with the second, the last that is over. */
export function useLastPeriod(wanted: boolean) {
  return useQuery({
    queryKey: ["/api/settlements/periods"],
    enabled: wanted,
    queryFn: ({ signal }) => answer(api.GET("/api/settlements/periods", { signal })),
    select: ({ periods }) => periods[1]?.code ?? periods[0]?.code ?? "",
  });
}

/** What each provider is called. */
export function useProviderNames(): (provider: string) => string {
  const { data } = useQuery({
    queryKey: ["/api/providers"],
    queryFn: ({ signal }) => answer(api.GET("/api/providers", { signal })),
    select: ({ providers }: Body<"/api/providers">) => providers.map((one) => ({ ...one, name: providerName(one) })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (provider) => data?.find(({ code }) => code === provider)?.name ?? provider;
}

/** The driver's own settlements, the newest first; from a day on, or only the newest. */
export function useOwnSettlements(from: string, last: number) {
  return useQuery({
    queryKey: [OWN, from, last],
    queryFn: ({ signal }) =>
      answer(api.GET(OWN, { signal, params: { query: { ...(from && { from }), ...(last > 0 && { last }) } } })),
  });
}

/** Lets no mailed link open one of the driver's own settlements any more. */
export const useEndLinks = () =>
  useWrite(OWN, (id: string) =>
    answer(api.POST("/api/driver-accounts/settlements/{id}/end-links", { params: { path: { id } } })),
  );

/** The driver's word about the invoice of one of their settlements. */
export const useAnswerDraft = (id: string) =>
  useWrite(OWN, (body: Schemas["DraftAnswer"]) =>
    answer(api.POST("/api/driver-accounts/settlements/{id}/draft", { params: { path: { id } }, body })),
  );

export function useOwnSettlement(id: string) {
  return useQuery({
    queryKey: [`${OWN}/{id}`, id],
    queryFn: async ({ signal }): Promise<Explained> =>
      answer(api.GET("/api/driver-accounts/settlements/{id}", { signal, params: { path: { id } } })),
  });
}
