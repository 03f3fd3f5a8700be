import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { answer, api } from "../api/client";
import { fileOf } from "../api/file";
import type { components, paths } from "../api/schema";
import { transfer } from "../api/transfer";
import { useWrite } from "../api/write";
import type { ExportFormat } from "../components/export-menu";
import type { Language } from "../i18n/languages";

type Schemas = components["schemas"];

export const DOCUMENTS = "/api/driver-documents";
const TYPES = "/api/document-types";

export type DocumentType = Schemas["DocumentType"];
export type Shown = Schemas["ShownDocument"];
export type Image = Schemas["DocumentImage"];
export type Place = Schemas["DocumentPlace"];
export type Standing = Schemas["DocumentPlace"]["state"];
export type Row = Schemas["MatrixRow"];
export type Cell = Schemas["MatrixCell"];
export type Due = Schemas["DueDocument"];
export type TypeForm = Schemas["DocumentTypeForm"];
export type MatrixFilter = NonNullable<paths["/api/driver-documents/matrix"]["get"]["parameters"]["query"]>;

/** As lists have them, the most urgent first. */
export const STANDINGS: readonly Standing[] = ["missing", "expired", "rejected", "waiting", "expiring", "accepted"];

/** The documents of a driver by type: one's own where nobody is named. */
export const useDocuments = (driver: string) =>
  useQuery({
    queryKey: [DOCUMENTS, driver],
    queryFn: ({ signal }) =>
      answer(api.GET(DOCUMENTS, { signal, params: { query: driver ? { driverUUID: driver } : {} } })),
  });

/** One document with what happened to it. */
export const useDocument = (id: string) =>
  useQuery({
    queryKey: ["/api/driver-documents/{id}", id],
    queryFn: ({ signal }) => answer(api.GET("/api/driver-documents/{id}", { signal, params: { path: { id } } })),
  });

/** A page of drivers with the places of their documents. */
export const useMatrix = (filter: MatrixFilter) =>
  useQuery({
    queryKey: ["/api/driver-documents/matrix", filter],
    queryFn: ({ signal }) => answer(api.GET("/api/driver-documents/matrix", { signal, params: { query: filter } })),
    placeholderData: keepPreviousData,
  });

/** How far ahead the board looks. */
const WITHIN = 30;

/** What has expired, does so soon or is missing. */
export const useDue = () =>
  useQuery({
    queryKey: ["/api/driver-documents/expiring"],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/driver-documents/expiring", { signal, params: { query: { within: WITHIN } } })),
  });

/** All types of documents, those that are not asked for any more too. */
export const useTypes = () =>
  useQuery({ queryKey: [TYPES], queryFn: ({ signal }) => answer(api.GET(TYPES, { signal })) });

/** A side of a document as a picture; undefined while it is fetched, empty where it cannot be shown. */
export function usePicture(document: string, image: string, how: { blurred?: boolean; width?: number; page?: number }) {
  const { blurred = false, width = 1200, page = 1 } = how;
  const found = useQuery({
    queryKey: ["picture", document, image, blurred, width, page],
    queryFn: async ({ signal }) => {
      const said = blurred ? "blurred=true" : `width=${width}&page=${page}`;
      const path = `${DOCUMENTS}/${document}/document-image/${image}/preview?${said}`;
      return (await transfer({ method: "GET", path, signal })).blob();
    },
    // Each look at an identity card is written down: it is fetched once, and not kept after it was left.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
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

/** What a person says about a document. */
export interface Sent {
  type: string;
  vehicle: string;
  number: string;
  validTo: string;
  noEnd: boolean;
}

/** What is uploaded as a document. */
interface Upload extends Sent {
  /** Whose, where a partner uploads. */
  driver: string;
  front: File;
  back: File | undefined;
  /** However often it is sent, it is one document. */
  key: string;
  /** Of a phone on which it may have waited: the id of the document, and the fleet that it is for. */
  id?: string;
  partner?: string;
}

const CHANGED: (keyof paths)[] = [DOCUMENTS, TYPES, "/api/settlements/pending"];

/** Uploads a document: a driver's waits for the partner, a partner's is accepted. */
export async function uploadDocument({ driver, key, front, back, noEnd, ...said }: Upload): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(said)) form.append(name, value);
  if (noEnd) form.append("noEnd", "true");
  form.append("front", front, front.name);
  if (back) form.append("back", back, back.name);
  const path = driver ? `${DOCUMENTS}?driverUUID=${encodeURIComponent(driver)}` : DOCUMENTS;
  await transfer({ method: "POST", path, body: form, key });
}

/** Uploads a document, or does so another way; whether it is with the server now. */
export const useUpload = (by?: (document: Upload) => Promise<boolean>) =>
  useWrite(CHANGED, async (document: Upload) => {
    if (by) return by(document);
    await uploadDocument(document);
    return true;
  });

export const useAccept = (id: string) =>
  useWrite(CHANGED, (body: Schemas["DocumentAcceptance"]) =>
    answer(api.POST("/api/driver-documents/{id}/accept", { params: { path: { id } }, body })),
  );

/** Refuses a document; the driver is told why. */
export const useReject = (id: string) =>
  useWrite(CHANGED, (body: Schemas["DocumentText"]) =>
    answer(api.POST("/api/driver-documents/{id}/reject", { params: { path: { id } }, body })),
  );

/** Says why a document is not erased when its time comes; without a reason it is. */
export const useKeep = (id: string) =>
  useWrite(CHANGED, (body: Schemas["DocumentText"]) =>
    answer(api.POST("/api/driver-documents/{id}/keep", { params: { path: { id } }, body })),
  );

export const useRemove = () =>
  useWrite(CHANGED, ({ id, version }: Pick<Shown, "id" | "version">) =>
    answer(api.DELETE("/api/driver-documents/{id}", { params: { path: { id }, query: { version } } })),
  );

/** Reminds drivers, each of a document at most once a day. */
export const useRemind = () =>
  useWrite(CHANGED, (items: Schemas["DocumentReminder"]["items"]) =>
    answer(api.POST("/api/driver-documents/remind", { body: { items } })),
  );

/** Changes a type, or adds one. */
export const useSaveType = () =>
  useWrite(CHANGED, ({ id, body }: { id: string; body: TypeForm }) =>
    id
      ? answer(api.PUT("/api/document-types/{id}", { params: { path: { id } }, body }))
      : answer(api.POST(TYPES, { body })),
  );

/** The pictures of a document, or of all of a driver's, in one file. */
export const zipOf = async (id: string): Promise<Blob> =>
  (await transfer({ method: "GET", path: `${DOCUMENTS}/${id}/zip` })).blob();

/** The expiry board as a file, with the name that the server gives it. */
export const exportDue = (format: ExportFormat, lang: Language) =>
  fileOf(
    api.GET("/api/driver-documents/expiring/export", {
      params: { query: { within: WITHIN, format, lang } },
      parseAs: "blob",
    }),
    `documents.${format}`,
  );
