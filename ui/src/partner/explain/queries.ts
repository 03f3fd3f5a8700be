import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client";
import type { SettledFilter } from "../../kit/settled-query";

const PLACE = "/api/settlements/{id}/place";

/** Where a settlement stands in a list; nothing is asked without one. */
export function useSettlementPlace(id: string, query: Omit<SettledFilter, "page" | "size"> | undefined) {
  return useQuery({
    queryKey: [PLACE, id, query],
    enabled: query !== undefined && id !== "",
    queryFn: ({ signal }) => answer(api.GET(PLACE, { signal, params: { path: { id }, query: query ?? {} } })),
    placeholderData: keepPreviousData,
  });
}
