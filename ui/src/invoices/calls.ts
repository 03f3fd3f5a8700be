import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { answer, api, type Body } from "../api/client";
import type { components, paths } from "../api/schema";
import { transfer } from "../api/transfer";
import { useWrite } from "../api/write";

type Schemas = components["schemas"];

export const INVOICES = "/api/invoice-images";
const ONE = "/api/invoice-images/{id}";
const PROVISION = "/api/invoice-images/provision";

/** What an invoice says. The server says everything; only who describes may leave fields out. */
export type Details = Required<Schemas["InvoiceFields"]>;
/** An invoice as lists have it. */
export type Invoice = Omit<Schemas["InvoiceImage"], "fields"> & Details;
/** One invoice with what was read, what was found and what happened. */
export type Opened = Omit<Schemas["OpenedInvoice"], "invoice"> & Invoice;

/** What an invoice says beside what it is. */
const invoiceOf = ({ fields, ...image }: Schemas["InvoiceImage"]): Invoice => ({ ...image, ...(fields as Details) });
const openedOf = ({ invoice, ...around }: Schemas["OpenedInvoice"]): Opened => ({ ...around, ...invoiceOf(invoice) });

export type Finding = Schemas["InvoiceFinding"];
export type Reading = Schemas["InvoiceReading"];
export type Totals = Schemas["InvoiceTotals"];
export type State = Invoice["state"];
export type Filter = NonNullable<paths[typeof INVOICES]["get"]["parameters"]["query"]>;
export type Reason = Schemas["InvoiceRejection"]["reason"];
export type Action = "save" | "submit" | "approve" | "reopen";

export const STATES: readonly State[] = ["uploaded", "to_describe", "to_verify", "approved", "rejected"];
export const REASONS: readonly Reason[] = [
  "unreadable",
  "not_ours",
  "duplicate",
  "not_allowed",
  "wrong_data",
  "too_old",
  "other",
];

/** What is typed about an invoice, as it is sent. */
type Fields = Readonly<Record<string, string | number>>;

/** What is sent beside a new file: the fields, and the names of those that a person typed. */
export type Sent = Readonly<Record<string, string | number | readonly string[]>>;

/** How often something is looked at anew while it is being read. */
const READING_MS = 3000;

const isRead = ({ state }: { state: State }) => state === "uploaded";

/** A page of invoices, with what all of the filter are together. */
export const useInvoices = (filter: Filter) =>
  useQuery({
    queryKey: [INVOICES, filter],
    queryFn: async ({ signal }) => {
      const page = await answer(api.GET(INVOICES, { signal, params: { query: filter } }));
      return { ...page, items: page.items.map(invoiceOf) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isRead) ? READING_MS : false),
  });

const opened = (id: string) =>
  queryOptions({
    queryKey: [ONE, id],
    queryFn: async ({ signal }) => openedOf(await answer(api.GET(ONE, { signal, params: { path: { id } } }))),
  });

/** One invoice as it is now. */
export function useNewest(id: string) {
  const cache = useQueryClient();
  return () => cache.query({ ...opened(id), staleTime: 0 });
}

/** One invoice. */
export const useInvoice = (id: string) =>
  useQuery({
    ...opened(id),
    enabled: id !== "",
    refetchInterval: ({ state: { data } }) =>
      data && (isRead(data) || data.reading.state === "waiting") ? READING_MS : false,
  });

/** What saving would say of what is typed; undefined: it is not asked, or not answered yet. */
export const useFindings = ({ id: exceptId, version }: Pick<Invoice, "id" | "version">, fields: Fields | undefined) =>
  useQuery({
    queryKey: ["findings", exceptId, version, fields],
    enabled: fields !== undefined,
    queryFn: async ({ signal }) =>
      answer(api.POST("/api/invoice-images/verify-details", { signal, body: { fields: fields ?? {}, exceptId } })),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  }).data?.findings;

/** How the partner takes invoices: who describes them, and what is kept of the VAT. */
export const useTerms = () => useQuery(terms);

const terms = queryOptions({
  queryKey: [PROVISION],
  queryFn: ({ signal }): Promise<Body<typeof PROVISION>> => answer(api.GET(PROVISION, { signal })),
  staleTime: 60_000,
});

/** Where a page of an invoice can be seen; undefined while it is fetched, empty where there is no picture of it. */
export function usePreview(of: Pick<Invoice, "id" | "fileVersion">, page: number, width: number): string | undefined {
  const found = useQuery({
    queryKey: ["preview", of.id, of.fileVersion, page, width],
    queryFn: async ({ signal }) => {
      const path = `${INVOICES}/${of.id}/preview?page=${page}&width=${width}`;
      return (await transfer({ method: "GET", path, signal })).blob();
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const url = useMemo(() => found.data && URL.createObjectURL(found.data), [found.data]);
  useEffect(
    () => () => {
      if (url) URL.revokeObjectURL(url);
    },
    [url],
  );
  return found.isError ? "" : url;
}

/** The file as it was uploaded. */
export const originalOf = async (id: string): Promise<Blob> =>
  (await transfer({ method: "GET", path: `${INVOICES}/${id}/file` })).blob();

/** A file with what is said of it, as it is sent. */
function formOf(file: File | undefined, said: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(said)) form.append(name, value);
  if (file) form.append("file", file, file.name);
  return form;
}

interface Upload {
  file: File;
  /** However often it is sent, it becomes one invoice. */
  key: string;
  data?: Sent | undefined;
  /** Of a partner: whose it is. */
  driverUUID?: string;
  /** Of a phone on which it may have waited: the id of the invoice, and the fleet that it is for. */
  id?: string;
  partner?: string;
}

/** Uploads a file as an invoice: of the driver who is signed in, or of one whom the partner names. */
export async function upload({ file, key, data, driverUUID, id, partner }: Upload): Promise<Invoice> {
  const said = {
    ...(data && { data: JSON.stringify(data) }),
    ...(driverUUID && { driverUUID }),
    ...(id && { id }),
    ...(partner && { partner }),
  };
  const path = driverUUID ? `${INVOICES}/partner` : INVOICES;
  const response = await transfer({ method: "POST", path, body: formOf(file, said), key });
  return invoiceOf(JSON.parse(await response.text()) as Schemas["InvoiceImage"]);
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const READ_TRIES = 30;

/** What stands in a file. It takes a while; undefined: it took too long, and a person types. */
export async function read(file: File, signal: AbortSignal): Promise<Reading | undefined> {
  const began = await transfer({
    method: "POST",
    path: "/api/ocr/invoices",
    body: formOf(file, {}),
    key: crypto.randomUUID(),
    signal,
  });
  let reading = JSON.parse(await began.text()) as Reading;
  for (let tries = 0; tries < READ_TRIES && reading.state === "waiting"; tries++) {
    await pause(READING_MS);
    if (signal.aborted) return undefined;
    const { readingId } = reading;
    reading = await answer(api.GET("/api/ocr/invoices/{id}", { signal, params: { path: { id: readingId } } }));
  }
  return reading.state === "done" ? reading : undefined;
}

/** What a form does with an invoice. */
interface Change {
  version: number;
  action: Action;
  data: Fields;
  /** The fields that a person typed: a better file changes all others. */
  typed?: readonly string[];
  accept?: readonly string[];
  file?: File;
  /** Another invoice with the same seller, day and amount that is not this one, and why. */
  notTheSame?: string;
  reason?: string;
}

// What an invoice brings is part of what a driver is settled.
const CHANGED: (keyof paths)[] = [INVOICES, "/api/settlements/pending", "/api/session"];

/** Changes an invoice, if nobody else has changed it since it was seen. */
export const useChange = (id: string) =>
  useWrite(CHANGED, async ({ data, file, ...said }: Change) => {
    const body = formOf(file, { data: JSON.stringify({ fields: data, ...said }) });
    const response = await transfer({ method: "PUT", path: `${INVOICES}/${id}`, body, key: crypto.randomUUID() });
    return openedOf(JSON.parse(await response.text()) as Schemas["OpenedInvoice"]);
  });

/** Refuses an invoice; the driver is told why. */
export const useReject = (id: string) =>
  useWrite(CHANGED, (body: Schemas["InvoiceRejection"]) =>
    answer(api.POST("/api/invoice-images/reject/{id}", { params: { path: { id } }, body })),
  );

/** Writes to the driver about an invoice, or sends it back to be described again. */
export const useFeedback = (id: string) =>
  useWrite(CHANGED, (body: Schemas["InvoiceFeedback"]) =>
    answer(api.POST("/api/invoice-images/feedback/{id}", { params: { path: { id } }, body })),
  );

/** Approves those that need no second look. */
export const useApproveClean = () =>
  useWrite(CHANGED, (ids: string[]) => answer(api.POST("/api/invoice-images/approve", { body: { ids } })));

/** Takes an invoice away. */
export const useDelete = () => useWrite(CHANGED, (id: string) => answer(api.DELETE(ONE, { params: { path: { id } } })));
