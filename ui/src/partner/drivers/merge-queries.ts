import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";

export type Preview = Body<"/api/drivers/{id}/merge-preview">;
export type Side = Preview["kept"];
export type Merge = Body<"/api/drivers/{id}/merges">["merges"][number];
export type Pair = Body<"/api/drivers/possible-duplicates">["pairs"][number];
type Order = components["schemas"]["MergeOrder"];
type Two = components["schemas"]["TwoDrivers"];

/** Whose value of a field stays. */
export type Whose = "kept" | "other";

/** How many pairs a page holds. */
export const PAIRS = 20;

export function usePreview(id: string, other: string) {
  return useQuery({
    queryKey: ["/api/drivers/{id}/merge-preview", id, other],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/drivers/{id}/merge-preview", { signal, params: { path: { id }, query: { with: other } } })),
    enabled: other !== "",
  });
}

export function useMerges(id: string) {
  return useQuery({
    queryKey: ["/api/drivers/{id}/merges", id],
    queryFn: ({ signal }) => answer(api.GET("/api/drivers/{id}/merges", { signal, params: { path: { id } } })),
    select: ({ merges }) => merges,
  });
}

export function usePossibleDuplicates(dismissed: boolean, page: number) {
  return useQuery({
    queryKey: ["/api/drivers/possible-duplicates", dismissed, page],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/drivers/possible-duplicates", { signal, params: { query: { dismissed, page, size: PAIRS } } }),
      ),
    placeholderData: keepPreviousData,
  });
}

// Both drivers, their lists and their transactions are others afterwards.
const touched = ["/api/drivers", "/api/transactions", "/api/settlement-schemas"] as const;

export const useMerge = (id: string) =>
  useWrite([...touched], (body: Order) =>
    answer(api.POST("/api/drivers/{id}/merge", { params: { path: { id } }, body })),
  );

export const useUndoMerge = () =>
  useWrite([...touched], (id: string) =>
    answer(api.POST("/api/driver-merges/{id}/undo", { params: { path: { id } } })),
  );

export const useDismissDuplicate = () =>
  useWrite("/api/drivers", (body: Two) => answer(api.POST("/api/drivers/possible-duplicates/dismiss", { body })));

export const useProposeAgain = () =>
  useWrite("/api/drivers", (body: Two) => answer(api.POST("/api/drivers/possible-duplicates/propose-again", { body })));
