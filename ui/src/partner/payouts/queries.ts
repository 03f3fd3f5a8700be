import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { fileName } from "../../api/file";
import type { components } from "../../api/schema";
import { transfer } from "../../api/transfer";
import { useWrite } from "../../api/write";
import { save } from "../../browser/save";

const BATCHES = "/api/payout-batches";
const ONE = "/api/payout-batches/{batchNumber}";
const SETTINGS = "/api/payout-settings";
/** What another batch, or its payment, makes stale. */
const TOUCHED = [BATCHES, ONE, "/api/payout-batches/plan", "/api/settlements"] as const;

export type Batch = components["schemas"]["PayoutBatch"];
export type Transfer = components["schemas"]["PayoutTransfer"];
export type PayoutRequest = components["schemas"]["PayoutRequest"];
export type Plan = components["schemas"]["PayoutPlan"];
export type Draft = Plan["drafts"][number];
export type Excluded = Plan["excluded"][number];
export type Settings = Body<typeof SETTINGS>;

export const SIZE = 50;

export function useBatches(page: number) {
  return useQuery({
    queryKey: [BATCHES, page],
    queryFn: ({ signal }) => answer(api.GET(BATCHES, { signal, params: { query: { page, size: SIZE } } })),
    placeholderData: keepPreviousData,
  });
}

export function useBatch(batchNumber: number) {
  return useQuery({
    queryKey: [ONE, batchNumber],
    queryFn: ({ signal }) => answer(api.GET(ONE, { signal, params: { path: { batchNumber } } })),
  });
}

export function useSettings() {
  return useQuery({
    queryKey: [SETTINGS],
    queryFn: ({ signal }) => answer(api.GET(SETTINGS, { signal })),
  });
}

export const useSaveSettings = () =>
  useWrite([SETTINGS], (body: Pick<Settings, "profile" | "foreignProfile" | "secondPerson" | "version">) =>
    answer(api.PUT(SETTINGS, { body })),
  );

/** What paying would do; asked anew whenever the request is another one. */
export function usePlan(request: PayoutRequest | undefined) {
  return useQuery({
    queryKey: ["/api/payout-batches/plan", request],
    queryFn: request
      ? ({ signal }) => answer(api.POST("/api/payout-batches/plan", { signal, body: request }))
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export const useMake = () =>
  useWrite([...TOUCHED], (body: PayoutRequest & { token: string }) => answer(api.POST(BATCHES, { body })));

export const useRelease = (batchNumber: number) =>
  useWrite([...TOUCHED], () =>
    answer(api.POST("/api/payout-batches/{batchNumber}/release", { params: { path: { batchNumber } } })),
  );

export const useCancel = (batchNumber: number) =>
  useWrite([...TOUCHED], (reason: string) =>
    answer(
      api.POST("/api/payout-batches/{batchNumber}/cancel", { params: { path: { batchNumber } }, body: { reason } }),
    ),
  );

export const useRemove = (batchNumber: number) =>
  useWrite([...TOUCHED], ({ settlement, ...body }: { settlement: string; reason: string; returned: number[] }) =>
    answer(
      api.POST("/api/payout-batches/{batchNumber}/settlements/{id}/remove", {
        params: { path: { batchNumber, id: settlement } },
        body,
      }),
    ),
  );

export const usePay = (batchNumber: number) =>
  useWrite([...TOUCHED], (paidOn: string) =>
    answer(api.POST("/api/payout-batches/{batchNumber}/pay", { params: { path: { batchNumber } }, body: { paidOn } })),
  );

/** Hands the bank's file to the person, under the name the server gives it. */
export async function bankFile({ number }: Batch) {
  const response = await transfer({ method: "GET", path: `${BATCHES}/${number}/file` });
  save(await response.blob(), fileName(response) ?? `saldo-${number}`);
}

const STATEMENTS = "/api/bank-statements";

export type Statement = components["schemas"]["BankStatement"];
export type StatementPlan = components["schemas"]["BankStatementPlan"];
export type Outcome = components["schemas"]["TransferOutcome"];

export interface StatementFile {
  name: string;
  /** Its bytes in base64. */
  content: string;
}

/** A file as requests carry it. */
export function statementFile(file: File): Promise<StatementFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error("unreadable"));
    reader.onload = () => {
      const text = typeof reader.result === "string" ? reader.result : "";
      resolve({ name: file.name.slice(0, 200), content: text.slice(text.indexOf(",") + 1) });
    };
    reader.readAsDataURL(file);
  });
}

export function useStatements() {
  return useQuery({
    queryKey: [STATEMENTS],
    queryFn: ({ signal }) => answer(api.GET(STATEMENTS, { signal })),
  });
}

/** What confirming a statement would do. */
export function useStatementPlan(file: StatementFile | undefined) {
  return useQuery({
    queryKey: [`${STATEMENTS}/plan`, file],
    queryFn: file ? ({ signal }) => answer(api.POST(`${STATEMENTS}/plan`, { signal, body: file })) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

export const useConfirmStatement = () =>
  useWrite(
    [...TOUCHED, STATEMENTS],
    (body: StatementFile & { token: string; except: { batch: number; place: number }[] }) =>
      answer(api.POST(STATEMENTS, { body })),
  );
