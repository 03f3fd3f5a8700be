import type { Language } from "../../i18n/languages";
import type { Entry, Subject } from "./queries";

/** What rows are chosen by: values that are fixed, or that whoever runs the report is asked for. */
export interface Filter {
  field: string;
  /** The name of the question; undefined: the values are fixed. */
  ask: string | undefined;
  many: boolean;
  required: boolean;
  /** What the question is called; undefined: as the field. */
  title: unknown;
  is: readonly string[];
}

/** A definition as the form changes it. What the form does not show it carries along. */
export interface Draft {
  subject: string;
  title: Partial<Record<Language, string>>;
  measures: readonly string[];
  by: readonly string[];
  filters: readonly Filter[];
  sort: readonly string[];
  limit: number | undefined;
  total: boolean;
  columns: unknown;
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const words = (value: unknown): string[] => list(value).filter((one) => typeof one === "string");
const word = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads a definition for the form. */
export function draftOf(definition: Entry["definition"]): Draft {
  const { subject, title, measures, by, filter, ask, sort, limit, total, columns } = definition;
  const asks = list(ask).map(record);
  return {
    subject: word(subject),
    title: Object.fromEntries(Object.entries(record(title)).map(([language, text]) => [language, word(text)])),
    measures: words(measures),
    by: words(by),
    filters: list(filter).map((one) => {
      const { field, is } = record(one);
      const [first = ""] = words(is);
      const name = first.startsWith("$") ? first.slice(1) : undefined;
      const asked = asks.find((other) => other.name === name);
      return {
        field: word(field),
        ask: name,
        many: asked?.many === true,
        required: asked?.required === true,
        title: asked?.title,
        is: name === undefined ? words(is) : [],
      };
    }),
    sort: words(sort),
    limit: typeof limit === "number" ? limit : undefined,
    total: total === true,
    columns,
  };
}

const DAYS = ["from", "to"].map((name) => ({ name, kind: "day" }));

/** Writes what the form holds as a definition. A subject with days is always asked for them. */
export function definitionOf(draft: Draft, dated: boolean): Entry["definition"] {
  const { subject, measures, by, filters, sort, limit, total, columns } = draft;
  const title = Object.fromEntries(Object.entries(draft.title).filter(([, text]) => text.trim() !== ""));
  const asks = filters.flatMap(({ field, ask, many, required, title: called }) =>
    ask === undefined
      ? []
      : [
          {
            name: ask,
            kind: field,
            ...(many && { many }),
            ...(required && { required }),
            ...(called !== undefined && { title: called }),
          },
        ],
  );
  const ask = [...(dated ? DAYS : []), ...asks];
  return {
    subject,
    title,
    measures,
    ...(by.length > 0 && { by }),
    ...(filters.length > 0 && {
      filter: filters.map((one) => ({ field: one.field, is: one.ask === undefined ? one.is : [`$${one.ask}`] })),
    }),
    ...(ask.length > 0 && { ask }),
    ...(sort.length > 0 && { sort }),
    ...(limit !== undefined && { limit }),
    ...(total && { total }),
    ...(columns !== undefined && { columns }),
  };
}

/** The name of a measure without what is shown of it. */
export const measureOf = (key: string) => key.replace(/^(share|change):/, "");

/** The draft about another subject: what that one does not have is gone. */
export function aboutSubject(draft: Draft, subject: Subject): Draft {
  const measures = new Set(subject.measures.map(({ key }) => key));
  const dimensions = new Set(subject.dimensions.map(({ key }) => key));
  const kept = draft.measures.filter((key) => measures.has(measureOf(key)));
  const first = subject.measures[0]?.key;
  const by = draft.by.filter((key) => dimensions.has(key));
  const named = [...kept, ...by];
  return {
    ...draft,
    subject: subject.key,
    measures: kept.length > 0 || first === undefined ? kept : [first],
    by,
    filters: draft.filters.filter(({ field }) => dimensions.has(field)),
    sort: draft.sort.filter((key) => named.includes(key.replace(/^-/, ""))),
    columns: undefined,
  };
}

/** The parts of the form that a refusal can be about. */
const PARTS = ["title", "subject", "measures", "by", "filter", "sort", "limit", "total", "columns"] as const;
export type Part = (typeof PARTS)[number];

/** The part of the form that a place in a definition belongs to, such as `measures[2]`. */
export function partOf(place: string): Part | undefined {
  const start = place.replace(/^definition\./, "");
  return PARTS.find((part) => start.startsWith(part)) ?? (start.startsWith("ask") ? "filter" : undefined);
}

/** The address that a title suggests: small letters, digits and dashes. */
export const codeOf = (title: string) =>
  title
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, "");
