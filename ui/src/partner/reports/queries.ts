import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answer, api, type Body } from "../../api/client";
import type { components } from "../../api/schema";
import { useWrite } from "../../api/write";
import type { Language } from "../../i18n/languages";
import type { Term } from "../../reports/calls";

type Schemas = components["schemas"];
type Kept = Schemas["ReportDefinition"];
export type Definition = Required<Kept>;
/** What of a definition an editor saves. */
export type Entry = Pick<Kept, "code" | "audience" | "enabled" | "version" | "definition">;
export type Audience = Kept["audience"];
export type Schedule = Schemas["ReportSchedule"];

/** What rows a report may be made of, with the figures and the groups that they have. */
export interface Subject {
  key: string;
  title: string;
  dated: boolean;
  drivers: boolean;
  measures: readonly Term[];
  dimensions: readonly Term[];
}

const DEFINITIONS = "/api/report-definitions";
const PREVIEW = "/api/report-definitions/preview";
const SCHEDULES = "/api/report-schedules";
const PEOPLE = "/api/partners/people";

const whole = (of: Kept): Definition => ({
  id: "",
  title: of.code,
  own: false,
  place: "",
  changedAt: "",
  changedBy: "",
  ...of,
});

const subjectOf = ({ key, title, dated = false, drivers = false, measures = [], values = [] }: Term): Subject => ({
  key,
  title,
  dated,
  drivers,
  measures,
  dimensions: values,
});

/** All reports of the partner, those that come with the program, and what definitions may name. */
export const useDefinitions = (lang: Language) =>
  useQuery({
    queryKey: [DEFINITIONS, lang],
    queryFn: ({ signal }) => answer(api.GET(DEFINITIONS, { signal, params: { query: { lang } } })),
    select: ({ items, ready, subjects }) => ({
      items: items.map(whole),
      ready: ready.map(whole),
      subjects: subjects.map(subjectOf),
    }),
    staleTime: 0,
  });

interface Tried {
  audience: Audience;
  definition: Entry["definition"];
  lang: Language;
}

/** The first rows of a definition; undefined: it cannot be tried yet. The rows before stay until these are here. */
export const usePreview = (tried: Tried | undefined) =>
  useQuery({
    queryKey: [PREVIEW, tried],
    enabled: tried !== undefined,
    queryFn: ({ signal }) =>
      answer(
        api.POST(PREVIEW, {
          signal,
          body: {
            audience: tried?.audience ?? "partner",
            definition: tried?.definition ?? {},
            parameters: { days: "last_4_weeks" },
            ...(tried && { lang: tried.lang }),
          },
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });

const TOUCHED = [DEFINITIONS, "/api/reports", SCHEDULES] as const;

export const useAdd = () => useWrite([...TOUCHED], (body: Entry) => answer(api.POST(DEFINITIONS, { body })));

export const useSave = () =>
  useWrite([...TOUCHED], ({ id, entry }: { id: string; entry: Entry }) =>
    answer(api.PUT("/api/report-definitions/{id}", { params: { path: { id } }, body: entry })),
  );

interface Versioned {
  id: string;
  version: number;
}

export const useRemove = () =>
  useWrite([...TOUCHED], ({ id, version }: Versioned) =>
    answer(api.DELETE("/api/report-definitions/{id}", { params: { path: { id }, query: { version } } })),
  );

/** Reports that are mailed by themselves. */
export const useSchedules = () =>
  useQuery({
    queryKey: [SCHEDULES],
    queryFn: ({ signal }) => answer(api.GET(SCHEDULES, { signal })),
    select: ({ items }) => items,
    staleTime: 0,
  });

/** Saves a schedule; a new one without an id. */
export const useSaveSchedule = () =>
  useWrite(
    SCHEDULES,
    ({ id, entry }: { id: string | undefined; entry: Schedule }): Promise<unknown> =>
      id === undefined
        ? answer(api.POST(SCHEDULES, { body: entry }))
        : answer(api.PUT("/api/report-schedules/{id}", { params: { path: { id } }, body: entry })),
  );

export const useRemoveSchedule = () =>
  useWrite(SCHEDULES, ({ id, version }: Versioned) =>
    answer(api.DELETE("/api/report-schedules/{id}", { params: { path: { id }, query: { version } } })),
  );

/** Who of the office may get a report: those who can sign in. */
export const useRecipients = () =>
  useQuery({
    queryKey: [PEOPLE],
    queryFn: ({ signal }) => answer(api.GET(PEOPLE, { signal })),
    select: ({ people }: Body<typeof PEOPLE>) => people.filter(({ state }) => state === "active"),
  });
