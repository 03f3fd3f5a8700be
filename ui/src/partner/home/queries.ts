import { useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";

const OVERVIEW = "/api/overview";
const PENDING = "/api/settlements/pending";

export type Overview = Body<typeof OVERVIEW>;
export type Pending = Body<typeof PENDING>["totals"];

/** What the fleet has to do now. Others change it too: whoever comes back sees it as it is. */
export const useOverview = () =>
  useQuery({
    queryKey: [OVERVIEW],
    queryFn: ({ signal }) => answer(api.GET(OVERVIEW, { signal })),
    staleTime: 0,
  });

/** What is pending in a week. It is computed, which takes a second with thousands of drivers. */
export const usePendingTotals = (period: string | undefined) =>
  useQuery({
    queryKey: [PENDING, "home", period],
    enabled: period !== undefined,
    queryFn: ({ signal }) =>
      answer(api.GET(PENDING, { signal, params: { query: { period: period ?? "", size: 1, page: 1 } } })),
    select: ({ totals }) => totals,
    staleTime: 0,
  });
