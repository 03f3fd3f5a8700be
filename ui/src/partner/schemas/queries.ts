import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { Problem } from "../../api/problem";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";

export type Schema = Body<"/api/settlement-schemas/{schemaNumber}">;

/** Everything a person can set of a schema. */
export type Rules = components["schemas"]["NewSettlementSchema"];

const ALL = "/api/settlement-schemas";

const at = (schemaNumber: number) => ({ path: { schemaNumber } });

export function useSchemas() {
  return useQuery({
    queryKey: [ALL],
    queryFn: ({ signal }) => answer(api.GET(ALL, { signal })),
    select: ({ schemas }) => schemas,
  });
}

/** Who is settled by a schema; asked only when somebody wants to know. */
export function useSchemaDrivers(schemaNumber: number, wanted: boolean) {
  return useQuery({
    queryKey: [`${ALL}/{schemaNumber}/drivers`, schemaNumber],
    enabled: wanted,
    queryFn: ({ signal }) =>
      answer(api.GET("/api/settlement-schemas/{schemaNumber}/drivers", { params: at(schemaNumber), signal })),
  });
}

export function useSchemaHistory(schemaNumber: number) {
  return useQuery({
    queryKey: [ALL, schemaNumber, "history"],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/settlement-schemas/{schemaNumber}/history", { params: at(schemaNumber), signal })),
    select: ({ versions }) => versions,
  });
}

/** Makes a schema, or saves a new version of one. */
export const useSaveSchema = () =>
  useWrite(ALL, ({ base, rules }: { base: Schema | undefined; rules: Rules }) =>
    base
      ? answer(
          api.PUT("/api/settlement-schemas/{schemaNumber}", {
            params: at(base.schemaNumber),
            body: { ...rules, version: base.version },
          }),
        )
      : answer(api.POST(ALL, { body: rules })),
  );

export const useCopySchema = () =>
  useWrite(ALL, ({ schema, name }: { schema: Schema; name: string }) =>
    answer(
      api.POST("/api/settlement-schemas/{schemaNumber}/copy", { params: at(schema.schemaNumber), body: { name } }),
    ),
  );

export const useMakeDefault = () =>
  useWrite(ALL, (schema: Schema) =>
    answer(api.POST("/api/settlement-schemas/{schemaNumber}/default", { params: at(schema.schemaNumber) })),
  );

export const useRemoveSchema = () =>
  useWrite(ALL, (schema: Schema) =>
    answer(api.DELETE("/api/settlement-schemas/{schemaNumber}", { params: at(schema.schemaNumber) })),
  );

export type Simulated = components["schemas"]["SchemaSimulated"];

/** Asks what rules would make of the last complete period; it changes nothing, so nothing is read again. */
export const useSimulation = () =>
  useMutation<Simulated, Problem, components["schemas"]["SchemaSimulation"]>({
    mutationFn: (body) => answer(api.POST("/api/settlement-schemas/simulate", { body })),
  });

/** Drivers by a part of their name. */
export function useFoundDrivers(q: string, wanted: boolean) {
  return useQuery({
    queryKey: ["/api/drivers", "found", q],
    enabled: wanted,
    queryFn: ({ signal }) => answer(api.GET("/api/drivers", { signal, params: { query: { q, size: 20 } } })),
    select: ({ drivers }) => drivers,
    placeholderData: keepPreviousData,
  });
}
