import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../api/client";

const PERIODS = "/api/settlements/periods";

/** A week that can be settled. */
export type Period = Body<typeof PERIODS>["periods"][number];

/** The weeks that can be settled, newest first. */
export function usePeriods() {
  return useQuery({
    queryKey: [PERIODS],
    queryFn: ({ signal }) => answer(api.GET(PERIODS, { signal })),
    select: ({ periods }) => periods,
    staleTime: 60_000,
  });
}
