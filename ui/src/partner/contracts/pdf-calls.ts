import { useQuery } from "@tanstack/react-query";
import { useMutation } from "@tanstack/react-query";
import type { Problem } from "../../api/problem";
import type { components } from "../../api/schema";
import { transfer } from "../../api/transfer";
import { useAddress } from "./calls";

type Schemas = components["schemas"];

export type ContractPDF = Schemas["ContractPDF"];
export type Placement = Schemas["Placement"];
export type SheetSize = Schemas["SheetSize"];

const FILES = "/api/partner-documents/template-files";

interface Upload {
  file: File;
  key: string;
  onProgress: (percent: number) => void;
}

/** Uploads a PDF that values are placed on. */
export const useUploadPDF = () =>
  useMutation<ContractPDF, Problem, Upload>({
    mutationFn: async ({ file, key, onProgress }) => {
      const form = new FormData();
      form.append("file", file, file.name);
      const answer = await transfer({
        method: "POST",
        path: FILES,
        body: form,
        key,
        onProgress: (done, total) => onProgress(Math.round((100 * done) / Math.max(1, total))),
      });
      return JSON.parse(await (await answer.blob()).text()) as ContractPDF;
    },
  });

/** A page of an uploaded PDF as a picture; undefined while it is fetched, empty where it cannot be shown. */
export function usePDFPage(file: string, page: number, wanted: boolean) {
  const found = useQuery({
    queryKey: ["contract pdf page", file, page],
    queryFn: async ({ signal }) =>
      (await transfer({ method: "GET", path: `${FILES}/${file}?page=${page}&width=1200`, signal })).blob(),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const url = useAddress(found.data);
  return found.isError ? "" : url;
}
