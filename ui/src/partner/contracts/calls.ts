import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { answer, api } from "../../api/client";
import type { components, paths } from "../../api/schema";
import { transfer } from "../../api/transfer";
import { useWrite } from "../../api/write";

type Schemas = components["schemas"];

const CONTRACTS = "/api/partner-documents/signed";
const SETTINGS = "/api/partner-documents/settings";

export type Contract = Schemas["Contract"];
export type ContractDocument = Schemas["ContractDocument"];
export type Check = Schemas["CountersignCheck"];
export type Settings = Schemas["ContractSettings"];
export type ContractFilter = NonNullable<paths[typeof CONTRACTS]["get"]["parameters"]["query"]>;

/** What a partner looks at together, in the order of the list. */
export const GROUPS = ["waiting", "paper", "active", "closed"] as const;

/** How many contracts the server gives at once. */
export const SIZE = 50;

const CHANGED: (keyof paths)[] = [CONTRACTS, "/api/partner-documents/contracts/{id}/evidence", "/api/drivers"];

/** A page of the partner's contracts. */
export const useContracts = (filter: ContractFilter) =>
  useQuery({
    queryKey: [CONTRACTS, filter],
    queryFn: ({ signal }) => answer(api.GET(CONTRACTS, { signal, params: { query: filter } })),
    placeholderData: keepPreviousData,
  });

/** All contracts of one driver, the newest first. */
export const useContractsOf = (driverUuid: string) =>
  useQuery({
    queryKey: [CONTRACTS, "of", driverUuid],
    queryFn: ({ signal }) => answer(api.GET(CONTRACTS, { signal, params: { query: { driverUuid } } })),
    select: ({ contracts }) => contracts,
    // A file is sealed some seconds after it was signed.
    refetchInterval: ({ state }) =>
      state.data?.contracts.some(({ documents }) => documents.some(({ file, sealed }) => file === "signed" && !sealed))
        ? 3000
        : false,
  });

/** How a contract was signed, as a chain of events. */
export const useEvidence = (id: string, wanted: boolean) =>
  useQuery({
    queryKey: ["/api/partner-documents/contracts/{id}/evidence", id],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/partner-documents/contracts/{id}/evidence", { signal, params: { path: { id } } })),
    enabled: wanted,
  });

/** What countersigning these would do; nothing is kept of it. */
export const useCheck = (ids: readonly string[]) =>
  useQuery({
    queryKey: ["/api/partner-documents/contracts/countersign-check", ids],
    queryFn: () => answer(api.POST("/api/partner-documents/contracts/countersign-check", { body: { ids: [...ids] } })),
    select: ({ items }) => items,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

/** Signs one contract for the partner, as it was shown. */
export const useCountersign = () =>
  useWrite(CHANGED, ({ contractId, version }: Pick<Contract, "contractId" | "version">) =>
    answer(
      api.POST("/api/partner-documents/contracts/{id}/countersign", {
        params: { path: { id: contractId } },
        body: { version },
      }),
    ),
  );

/** Ends an active contract, or takes a signed one back. */
export const useClose = (how: "end" | "withdraw") =>
  useWrite(CHANGED, ({ id, ...body }: { id: string; reason: string; version: number }) =>
    answer(api.POST(`/api/partner-documents/contracts/{id}/${how}`, { params: { path: { id } }, body })),
  );

/** Erases a contract that the partner has not countersigned. */
export const useDelete = () =>
  useWrite(CHANGED, (contractId: string) =>
    answer(api.DELETE("/api/partner-documents/delete", { params: { query: { contractId } } })),
  );

/** Adds the scan of a document that was signed by hand. */
export const useScan = () =>
  useWrite(CHANGED, async (scan: { id: string; order: number; version: number; file: File; key: string }) => {
    const form = new FormData();
    form.append("order", String(scan.order));
    form.append("version", String(scan.version));
    form.append("file", scan.file, scan.file.name);
    await transfer({
      method: "POST",
      path: `/api/partner-documents/contracts/${scan.id}/scan`,
      body: form,
      key: scan.key,
    });
  });

const pathOf = (contract: string, order: number) => `${CONTRACTS}/${contract}/${order}`;

/** The newest file of a document. */
export const fileOf = async (contract: string, order: number): Promise<Blob> =>
  (await transfer({ method: "GET", path: pathOf(contract, order) })).blob();

/** An address of what was fetched, for as long as it is shown. */
export function useAddress(content: Blob | undefined): string | undefined {
  const url = useMemo(() => content && URL.createObjectURL(content), [content]);
  useEffect(
    () => () => {
      if (url) URL.revokeObjectURL(url);
    },
    [url],
  );
  return url;
}

/** A page of the newest file as a picture; undefined while it is fetched, empty where it cannot be shown. */
export function usePage(contract: string, document: ContractDocument, page: number, width: number) {
  const found = useQuery({
    queryKey: ["contract page", contract, document.order, document.sum, page, width],
    queryFn: async ({ signal }) => {
      const path = `${pathOf(contract, document.order)}?page=${page}&width=${width}`;
      return (await transfer({ method: "GET", path, signal })).blob();
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const url = useAddress(found.data);
  return found.isError ? "" : url;
}

/** How the partner signs. */
export const useSettings = () =>
  useQuery({ queryKey: [SETTINGS], queryFn: ({ signal }) => answer(api.GET(SETTINGS, { signal })) });

export const useSaveSettings = () => useWrite(SETTINGS, (body: Settings) => answer(api.PUT(SETTINGS, { body })));

const TEXTS = "/api/partner-documents";
const TEXT = "/api/partner-documents/templates/{id}";

export type Template = Schemas["ContractTemplate"];

/** All texts, with what they may fill in. */
export const useTemplates = () =>
  useQuery({ queryKey: [TEXTS], queryFn: ({ signal }) => answer(api.GET(TEXTS, { signal })) });

/** One text; an older one, or the one that comes with the program, where it is asked for. */
export const useTemplate = (id: string, which: { version?: number; ready?: boolean } = {}, wanted = true) =>
  useQuery({
    queryKey: [TEXT, id, which],
    queryFn: ({ signal }) => answer(api.GET(TEXT, { signal, params: { path: { id }, query: which } })),
    enabled: wanted && id !== "new" && id !== "pdf",
    // What somebody is writing is not replaced behind their back.
    refetchOnWindowFocus: false,
  });

/** Saves a text from the revision that it was read at, or adds one. */
export const useSaveTemplate = () =>
  useWrite([TEXTS], ({ id, history: _history, file: _file, ...body }: Template) =>
    id
      ? answer(api.PUT(TEXT, { params: { path: { id } }, body }))
      : answer(api.POST("/api/partner-documents/templates", { body })),
  );

/** Takes a text away; what was signed keeps it. */
export const useRemoveTemplate = () =>
  useWrite([TEXTS], (id: string) => answer(api.DELETE(TEXT, { params: { path: { id } } })));

/** What is looked at while a text is written. */
interface Draft {
  fileId?: string;
  placements?: Schemas["Placement"][];
  body: string;
  name: string;
  language: string;
  driverUUID: string;
}

/** A page of a text as it would be printed, with how many there are and what the driver lacks. */
export const usePreview = (draft: Draft, page: number) =>
  useQuery({
    queryKey: ["text page", draft, page],
    queryFn: async ({ signal }) => {
      const call = api.POST("/api/partner-documents/preview", {
        signal,
        params: { query: { page, width: 900 } },
        body: draft,
        parseAs: "blob",
      });
      const picture = (await answer<unknown>(call)) as Blob;
      const { headers } = (await call).response;
      return {
        picture,
        pages: Number(headers.get("X-Pages") ?? "1"),
        missing: JSON.parse(headers.get("X-Missing-Values") ?? "[]") as string[],
      };
    },
    enabled: page > 0 && (draft.body.trim() !== "" || draft.fileId !== undefined),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
