import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../api/client";
import { Problem } from "../api/problem";
import type { components, paths } from "../api/schema";
import { transfer } from "../api/transfer";
import { useWrite } from "../api/write";
import type { Language } from "../i18n/languages";

type Schemas = components["schemas"];

const AT = "/api/partner-documents";
const SIGNED = "/api/partner-documents/signed";
const DATA = "/api/partner-documents/signed-data";

export type Answers = Schemas["Answers"];
export type Filled = Schemas["ContractData"];
export type Contract = Schemas["Contract"];
export type Document = Contract["documents"][number];
export type ToSign = Filled["documents"][number];
export type Shown = Schemas["ContractShown"];

const whose = (driver: string) => (driver ? { driverUUID: driver } : {});

/** What a wizard begins with. */
export const filledFor = (driver: string, language: Language) =>
  answer(api.GET(DATA, { params: { query: { ...whose(driver), language } } }));

export const useFilled = (driver: string, language: Language) =>
  useQuery({ queryKey: [DATA, driver, language], queryFn: () => filledFor(driver, language), staleTime: 0, gcTime: 0 });

/** What was signed last; undefined: nothing was. */
export const lastFor = (driver: string, language: Language) =>
  answer(
    api.GET("/api/partner-documents/last-contract-data", { params: { query: { ...whose(driver), language } } }),
  ).catch((reason: unknown) => {
    if (reason instanceof Problem && reason.status === 404) return undefined;
    throw reason;
  });

export const saveDraft = (driver: string, language: Language, body: Schemas["ContractDraft"]) =>
  answer(api.PUT("/api/partner-documents/draft", { params: { query: { ...whose(driver), language } }, body }));

/** The contracts of a driver, newest first. */
export const useContracts = (driver: string) =>
  useQuery({
    queryKey: [SIGNED, driver],
    queryFn: ({ signal }) =>
      answer(api.GET(SIGNED, { signal, params: { query: driver ? { driverUuid: driver } : {} } })),
  });

/** The documents that data make: page counts, sums and words. */
export const usePages = (data: Answers, language: Language, on: boolean) =>
  useQuery({
    queryKey: ["/api/partner-documents/pages", language, data],
    queryFn: ({ signal }) => answer(api.POST("/api/partner-documents/pages", { signal, body: { data, language } })),
    enabled: on,
    staleTime: 60_000,
    gcTime: 0,
  });

/** One page of a document as a picture. */
export const usePage = (data: Answers, language: Language, template: string, page: number, on: boolean) =>
  useQuery({
    queryKey: ["/api/partner-documents/fill-data", language, data, template, page],
    queryFn: async ({ signal }) =>
      URL.createObjectURL(
        await answer(
          api.POST("/api/partner-documents/fill-data", {
            signal,
            params: { query: { page, width: 1200 } },
            body: { data, language, templateIds: [template] },
            parseAs: "blob",
          }),
        ),
      ),
    enabled: on,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const CHANGED: (keyof paths)[] = [SIGNED, DATA];

/** What is signed, and how. */
interface Signing {
  driver: string;
  data: Answers;
  version: number;
  language: Language;
  sums: Record<string, string>;
  shown: { order: number; pages: number; ms: number }[];
  declarations: { id: string; textSum: string }[];
  consentSum: string;
  picture: Blob | undefined;
  typedName: string;
  replaces: string;
  /** However often it is sent, it is one contract. */
  key: string;
}

export const useSign = () =>
  useWrite(CHANGED, async (of: Signing): Promise<Contract> => {
    const form = new FormData();
    const texts = { data: of.data, sums: of.sums, shown: of.shown, declarations: of.declarations };
    for (const [name, value] of Object.entries(texts)) form.append(name, JSON.stringify(value));
    form.append("version", String(of.version));
    form.append("language", of.language);
    form.append("consentSum", of.consentSum);
    if (of.typedName) form.append("typedName", of.typedName);
    if (of.driver) form.append("driverUUID", of.driver);
    if (of.replaces) form.append("replaces", of.replaces);
    if (of.picture) form.append("signature", of.picture, "signature.png");
    const answered = await transfer({ method: "POST", path: SIGNED, body: form, key: of.key });
    return (await answered.json()) as Contract;
  });

export const useDropDraft = (driver: string) =>
  useWrite(CHANGED, () => answer(api.DELETE("/api/partner-documents/draft", { params: { query: whose(driver) } })));

export const useWithdraw = () =>
  useWrite(CHANGED, ({ id, ...body }: Schemas["ContractEnding"] & { id: string }) =>
    answer(api.POST("/api/partner-documents/contracts/{id}/withdraw", { params: { path: { id } }, body })),
  );

export const useScan = () =>
  useWrite(CHANGED, async (of: { contract: Contract; order: number; file: File; key: string }) => {
    const form = new FormData();
    form.append("file", of.file, of.file.name);
    form.append("order", String(of.order));
    form.append("version", String(of.contract.version));
    await transfer({ method: "POST", path: `${AT}/contracts/${of.contract.contractId}/scan`, body: form, key: of.key });
  });

/** How a contract was signed, asked for when it is opened. */
export const useEvidence = (id: string, on: boolean) =>
  useQuery({
    queryKey: ["/api/partner-documents/contracts/{id}/evidence", id],
    queryFn: ({ signal }) =>
      answer(api.GET("/api/partner-documents/contracts/{id}/evidence", { signal, params: { path: { id } } })),
    enabled: on,
  });

/** The newest file of a document. */
export const fileOf = async (contract: string, order: number): Promise<Blob> =>
  (await transfer({ method: "GET", path: `${SIGNED}/${contract}/${order}` })).blob();
