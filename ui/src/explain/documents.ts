import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api, type Body } from "../api/client";
import { type FileAnswer, fileOf } from "../api/file";
import { Problem } from "../api/problem";
import { useWrite } from "../api/write";
import { save } from "../browser/save";

const OF = "/api/settlements/{id}/documents";

export type Offer = Body<typeof OF>;
export type Issued = Offer["documents"][number];
export type Seller = Offer["seller"];

/** The bill or invoice of a settlement, or what stands in its way. */
export function useDocuments(settlement: string) {
  return useQuery({
    queryKey: [OF, settlement],
    queryFn: ({ signal }) => answer(api.GET(OF, { signal, params: { path: { id: settlement } } })),
  });
}

/** Issues it; asked again the server gives the same one. */
export const useIssue = (settlement: string) =>
  useWrite(OF, (seller: Seller) => answer(api.POST(OF, { params: { path: { id: settlement } }, body: seller })));

const AGAIN = "/api/billing-documents/{id}/send-again";

/** Sends what KSeF refused again, under its number. */
export const useSendAgain = (id: string) =>
  useWrite(OF, (seller: Seller) => answer(api.POST(AGAIN, { params: { path: { id } }, body: seller })));

const blob = { parseAs: "blob" } as const;

/** Files that are made when they are asked for. */
const PDFs = {
  statement: (id: string) =>
    api.GET("/api/settlements/{id}/statement", { params: { path: { id } }, ...blob }) as FileAnswer,
  ownStatement: (id: string) =>
    api.GET("/api/driver-accounts/settlements/{id}/statement", { params: { path: { id } }, ...blob }) as FileAnswer,
  ownPdf: (id: string) =>
    api.GET("/api/driver-accounts/documents/{id}", { params: { path: { id } }, ...blob }) as FileAnswer,
  ownXml: (id: string) =>
    api.GET("/api/driver-accounts/documents/{id}/xml", { params: { path: { id } }, ...blob }) as FileAnswer,
  pdf: (id: string) => api.GET("/api/billing-documents/{id}", { params: { path: { id } }, ...blob }) as FileAnswer,
  xml: (id: string) => api.GET("/api/billing-documents/{id}/xml", { params: { path: { id } }, ...blob }) as FileAnswer,
  upo: (id: string) =>
    api.GET("/api/billing-documents/{id}/xml", {
      params: { path: { id }, query: { upo: true } },
      ...blob,
    }) as FileAnswer,
};

/** What their formats are called in every language. */
export const formats = {
  statement: "PDF",
  ownStatement: "PDF",
  ownPdf: "PDF",
  ownXml: "XML",
  pdf: "PDF",
  xml: "XML",
  upo: "UPO",
} as const satisfies Record<keyof typeof PDFs, string>;

/** Fetches a file and hands it over under the name that the server gives it. */
export function useDownload() {
  const [problem, setProblem] = useState<Problem>();
  const { mutateAsync, isPending, variables } = useMutation({
    mutationFn: async ({ kind, id }: { kind: keyof typeof PDFs; id: string }) => {
      const { content, name } = await fileOf(PDFs[kind](id), `saldo.${formats[kind].toLowerCase()}`);
      save(content, name);
    },
  });
  const download = async (kind: keyof typeof PDFs, id: string) => {
    setProblem(undefined);
    try {
      await mutateAsync({ kind, id });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return { download, problem, busy: isPending ? variables.kind : undefined };
}
