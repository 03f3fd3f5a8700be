import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import { type FileAnswer, fileOf } from "../../api/file";
import type { paths } from "../../api/schema";
import { useWrite } from "../../api/write";
import { save } from "../../browser/save";

const REGISTER = "/api/billing-documents";
const ARCHIVE = "/api/billing-documents/archive";

export type Issued = Body<typeof REGISTER>["items"][number];
type Query = NonNullable<paths[typeof REGISTER]["get"]["parameters"]["query"]>;
export type Filter = Pick<Query, "from" | "to" | "kind" | "state" | "driver" | "ids">;

/** How many stand on a page. */
export const SIZE = 50;

/** A page of issued documents, with the sums of the filter. */
export function useRegister(filter: Filter, page: number) {
  return useQuery({
    queryKey: [REGISTER, filter, page],
    queryFn: ({ signal }) => answer(api.GET(REGISTER, { signal, params: { query: { ...filter, page, size: SIZE } } })),
    placeholderData: keepPreviousData,
  });
}

const AGREEMENTS = "/api/billing-agreements";

export type Agreement = Body<typeof AGREEMENTS>["fleet"];

/** How drivers approve invoices that the partner writes for them. */
export const useAgreements = () =>
  useQuery({ queryKey: [AGREEMENTS], queryFn: ({ signal }) => answer(api.GET(AGREEMENTS, { signal })) });

export const useAgree = () =>
  useWrite([AGREEMENTS, REGISTER], (body: Agreement) => answer(api.PUT(AGREEMENTS, { body })));

const CERTIFICATE = "/api/billing-certificate";

/** Keeps the certificate that signs the second code of offline invoices. */
export const useCertify = () =>
  useWrite(REGISTER, (body: { certificate: string; key: string }) => answer(api.PUT(CERTIFICATE, { body })));

/** Fetches the documents of a filter as a ZIP. */
export const useArchive = () =>
  useMutation({
    mutationFn: async (query: Filter) => {
      const call = api.GET(ARCHIVE, { params: { query }, parseAs: "blob" }) as FileAnswer;
      const { content, name } = await fileOf(call, "saldo.zip");
      save(content, name);
    },
  });
