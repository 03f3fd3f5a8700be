import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { providerName } from "../../i18n/provider-name";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";
import { fitting } from "./evidence";

const LIST = "/api/transactions";

export type Page = Body<typeof LIST>;
export type Transaction = Page["transactions"][number];
export type TypeCode = Transaction["type"];
type Entry = components["schemas"]["NewTransaction"];
type Change = components["schemas"]["ChangedTransaction"];
export type Outcome = components["schemas"]["RetypeOutcome"];

/** What the list is narrowed to; what is empty narrows nothing. */
export interface Filter {
  type: TypeCode | "";
  provider: string;
  from: string;
  to: string;
  state: "" | "settled" | "unsettled";
  q: string;
  settlementUUID: string;
}

export function useTransactions(driverUUID: string, filter: Filter) {
  return useInfiniteQuery({
    queryKey: [LIST, driverUUID, filter],
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) => {
      const { type, ...rest } = filter;
      const wanted = Object.fromEntries(Object.entries({ ...rest, after: pageParam }).filter(([, value]) => value));
      return answer(api.GET(LIST, { signal, params: { query: { driverUUID, ...(type && { type }), ...wanted } } }));
    },
    getNextPageParam: ({ next }) => next || undefined,
    placeholderData: keepPreviousData,
  });
}

export function useTypes() {
  return useQuery({
    queryKey: ["/api/transactions/types"],
    queryFn: ({ signal }) => answer(api.GET("/api/transactions/types", { signal })),
    select: ({ types }) => types,
    staleTime: Infinity,
  });
}

export function useProviders() {
  return useQuery({
    queryKey: ["/api/providers"],
    queryFn: ({ signal }) => answer(api.GET("/api/providers", { signal })),
    select: ({ providers }) => providers.map((one) => ({ ...one, name: providerName(one) })),
    staleTime: Infinity,
  });
}

export function useHistory(id: string) {
  return useQuery({
    queryKey: ["/api/transactions/{id}/history", id],
    queryFn: ({ signal }) => answer(api.GET("/api/transactions/{id}/history", { signal, params: { path: { id } } })),
    select: ({ lines }) => lines,
  });
}

export const useAddTransaction = () => useWrite(LIST, (body: Entry) => answer(api.POST(LIST, { body })));

export const useSaveTransaction = () =>
  useWrite(LIST, ({ id, ...body }: Change & { id: string }) =>
    answer(api.PUT("/api/transactions/{id}", { params: { path: { id } }, body })),
  );

export const useRemoveTransaction = () =>
  useWrite(LIST, ({ id, version }: Transaction) =>
    answer(api.DELETE("/api/transactions/{id}", { params: { path: { id }, query: { version } } })),
  );

export const useRestoreTransaction = () =>
  useWrite(LIST, ({ id }: Transaction) =>
    answer(api.POST("/api/transactions/{id}/restore", { params: { path: { id } } })),
  );

export const useRetype = () =>
  useWrite(LIST, ({ rows, type }: { rows: readonly Transaction[]; type: TypeCode }) =>
    answer(
      api.POST("/api/transactions/retype", {
        body: { type, transactions: rows.map(({ id, version }) => ({ id, version })) },
      }),
    ),
  );

export const useSetEvidence = () =>
  useWrite(LIST, async ({ id, file }: { id: string; file: File }) =>
    answer(
      api.PUT("/api/transactions/{id}/evidence", {
        params: { path: { id }, query: { fileName: file.name } },
        // The contract calls bytes a string.
        body: (await fitting(file)) as unknown as string,
        bodySerializer: (body) => body,
        headers: { "Content-Type": "application/octet-stream" },
      }),
    ),
  );

export const useRemoveEvidence = () =>
  useWrite(LIST, (id: string) => answer(api.DELETE("/api/transactions/{id}/evidence", { params: { path: { id } } })));

/** The attached file. */
export const evidenceOf = (id: string) =>
  answer(
    api.GET("/api/transactions/{id}/evidence", { params: { path: { id } }, parseAs: "blob" }) as Promise<{
      data?: Blob;
      error?: unknown;
      response: Response;
    }>,
  );
