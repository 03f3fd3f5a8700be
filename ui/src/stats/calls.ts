import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../api/client";

const PARTNER = "/api/stats/partner";
const DRIVER = "/api/stats/driver";

export type Fleet = Body<typeof PARTNER>;
export type FleetWeek = Fleet["weeks"][number];
export type Equation = Fleet["equation"];
export type Ranked = Fleet["top"][number];
export type Own = Body<typeof DRIVER>;

/** Some whole weeks; without days, those that the server takes. */
export interface Span {
  from?: string;
  to?: string;
}

/** What a fleet earned in some weeks. The figures before stay on screen until these are here. */
export const useFleetStats = (span: Span, enabled = true) =>
  useQuery({
    queryKey: [PARTNER, span],
    enabled,
    queryFn: ({ signal }) => answer(api.GET(PARTNER, { signal, params: { query: span } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** What a driver earned in the last weeks. */
export const useDriverStats = (weeks: number) =>
  useQuery({
    queryKey: [DRIVER, weeks],
    queryFn: ({ signal }) => answer(api.GET(DRIVER, { signal, params: { query: { weeks } } })),
    staleTime: 0,
  });
