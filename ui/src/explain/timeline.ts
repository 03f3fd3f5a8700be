import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];
export type Timeline = Schemas["MoneyTimeline"];
export type TimelineStep = Timeline["steps"][number];

const OF = "/api/settlements/{id}/timeline";
const OF_PENDING = "/api/drivers/{id}/pending-timeline";
const OWN = "/api/driver-accounts/settlements/{id}/timeline";
const NEXT = "/api/driver-accounts/next-payout";

/** Where the money of a settlement is, or what a driver's period waits for that is not settled. */
export function useTimeline(settlement: string, driver: string, period: string) {
  return useQuery({
    queryKey: settlement ? [OF, settlement] : [OF_PENDING, driver, period],
    queryFn: async ({ signal }): Promise<Timeline> =>
      settlement
        ? answer(api.GET(OF, { signal, params: { path: { id: settlement } } }))
        : answer(api.GET(OF_PENDING, { signal, params: { path: { id: driver }, query: { period } } })),
  });
}

/** Where the money of one of the driver's own settlements is. */
export function useOwnTimeline(id: string) {
  return useQuery({
    queryKey: [OWN, id],
    queryFn: ({ signal }) => answer(api.GET(OWN, { signal, params: { path: { id } } })),
  });
}

/** What the driver is paid next. */
export function useNextPayout() {
  return useQuery({ queryKey: [NEXT], queryFn: ({ signal }) => answer(api.GET(NEXT, { signal })) });
}

/** What is awaited: the last step that is not reached. */
export const awaited = ({ steps }: Timeline) => steps.findLast(({ done }) => !done);
