import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api } from "../api/client";
import { fileOf } from "../api/file";
import type { components } from "../api/schema";
import type { Language } from "../i18n/languages";

type Schemas = components["schemas"];
export type Report = Schemas["Report"];
export type Term = Schemas["ReportTerm"];
export type Result = Schemas["ReportResult"];
export type Parameters = Schemas["ReportParameters"];
export type Days = NonNullable<Parameters["days"]>;
export type Kind = NonNullable<Term["kind"]>;
export type Format = NonNullable<Schemas["ReportRun"]["format"]>;

/** Whose reports: those of a partner's people, or those that a driver sees of themselves. */
export type Side = "partner" | "driver";

const REPORTS = "/api/reports";
const OF_DRIVERS = "/api/reports/driver";

/** Reports that can be run, by title; who has none has no entry in the menu. */
export const useReports = (side: Side, lang: Language) =>
  useQuery({
    queryKey: [side === "driver" ? OF_DRIVERS : REPORTS, lang],
    queryFn: ({ signal }) => {
      const asked = { signal, params: { query: { lang } } };
      return answer(side === "driver" ? api.GET(OF_DRIVERS, asked) : api.GET(REPORTS, asked));
    },
    select: ({ items }) => items,
    staleTime: 60_000,
  });

interface Asked {
  side: Side;
  /** Its code or id; undefined: nothing was asked yet. */
  report: string | undefined;
  parameters: Parameters;
  page: number;
  lang: Language;
}

/** A page of what a report shows. */
export const useResult = ({ side, report, parameters, page, lang }: Asked) =>
  useQuery({
    queryKey: [REPORTS, "run", side, report, parameters, page, lang],
    enabled: report !== undefined,
    queryFn: ({ signal }) => {
      const asked = { signal, params: { path: { id: report ?? "" } }, body: { parameters, page, lang } };
      return answer(
        side === "driver" ? api.POST("/api/reports/driver/{id}", asked) : api.POST("/api/reports/{id}", asked),
      );
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });

/** The whole report as a file. */
export function reportFile({ side, report, parameters, lang }: Omit<Asked, "page">, format: Format) {
  const asked = {
    params: { path: { id: report ?? "" } },
    body: { parameters, format, lang },
    parseAs: "blob",
  } as const;
  return fileOf(
    side === "driver"
      ? api.POST("/api/reports/driver/generate/{id}", asked)
      : api.POST("/api/reports/generate/{id}", asked),
    `saldo.${format}`,
  );
}
