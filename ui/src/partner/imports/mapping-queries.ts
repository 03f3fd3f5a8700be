import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";

const MAPPINGS = "/api/import-mappings";

export type Mapping = Body<typeof MAPPINGS>["mappings"][number];
export type Role = components["schemas"]["MappedColumn"]["role"];
export type Rules = Pick<Mapping, "provider" | "columns" | "decimal" | "dateForm" | "sign" | "type">;
export type Place = Pick<components["schemas"]["MappingTrial"], "importId" | "part" | "headLine">;
export type TriedRow = components["schemas"]["TriedRow"];

/** Everything that the partner has described. */
export function useMappings() {
  return useQuery({
    queryKey: [MAPPINGS],
    queryFn: ({ signal }) => answer(api.GET(MAPPINGS, { signal })),
    select: ({ mappings }) => mappings,
  });
}

/** The types of rows that there are, and who brings them. */
export function useRowTypes() {
  return useQuery({
    queryKey: ["/api/transactions/types"],
    queryFn: ({ signal }) => answer(api.GET("/api/transactions/types", { signal })),
    select: ({ types }) => types,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The first rows as a mapping would read them; it changes nothing on the server. */
export function useTrial(place: Place, rules: Rules) {
  return useQuery({
    queryKey: ["/api/import-mappings/try", place, rules],
    queryFn: ({ signal }) => answer(api.POST("/api/import-mappings/try", { signal, body: { ...place, ...rules } })),
    select: ({ rows }) => rows,
    enabled: place.importId !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
}

// Mappings decide what files become, so all files are read anew after a write.
export const useAddMapping = () =>
  useWrite([MAPPINGS, "/api/imports"], (body: { name: string } & Place & Rules) =>
    answer(api.POST(MAPPINGS, { body })),
  );

export const useSaveMapping = () =>
  useWrite([MAPPINGS, "/api/imports"], ({ id, ...body }: { id: string; version: number; name: string } & Rules) =>
    answer(api.PUT("/api/import-mappings/{id}", { params: { path: { id } }, body })),
  );

export const useRemoveMapping = () =>
  useWrite(MAPPINGS, (id: string) => answer(api.DELETE("/api/import-mappings/{id}", { params: { path: { id } } })));

export const useReadAgain = () =>
  useWrite("/api/imports", (id: string) =>
    answer(api.POST("/api/imports/{id}/read-again", { params: { path: { id } } })),
  );
