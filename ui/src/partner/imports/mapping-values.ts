import type { Mapping, Place, Role, Rules } from "./mapping-queries";
import type { One } from "./queries";

/** What stands in the form. Roles are by column, since names may be missing or stand twice. */
export interface Values {
  name: string;
  provider: string;
  roles: readonly (Role | "")[];
  decimal: Rules["decimal"];
  dateForm: Rules["dateForm"];
  sign: Rules["sign"];
  type: string;
}

/** The part of a file that is described: where it is, its columns, and the first rows below them. */
export interface Sample {
  place: Place;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

export const roles = [
  "date",
  "time",
  "amount",
  "card",
  "plate",
  "driver_id",
  "name",
  "email",
  "phone",
  "type",
  "description",
  "document",
  "currency",
] as const satisfies readonly Role[];

/** How days may be written, with a day that shows it. */
export const dateForms = {
  "DD.MM.YYYY": "21.09.2026",
  "YYYY-MM-DD": "2026-09-21",
  "DD-MM-YYYY": "21-09-2026",
  "DD/MM/YYYY": "21/09/2026",
  "MM/DD/YYYY": "09/21/2026",
  "YYYY/MM/DD": "2026/09/21",
  YYYYMMDD: "20260921",
} as const satisfies Record<Exclude<Rules["dateForm"], "">, string>;

const FUEL_CARDS: readonly string[] = ["ORLEN", "CIRCLEK", "FLOTEX"];

/** What a chosen provider mostly means: fuel cards write what drivers owe as plain amounts. */
export const usual = (provider: string): Pick<Values, "provider" | "sign" | "type"> =>
  FUEL_CARDS.includes(provider) ? { provider, sign: "negated", type: "FUEL" } : { provider, sign: "as_is", type: "" };

export const blank = (name: string): Values => ({
  name,
  roles: [],
  decimal: "",
  dateForm: "",
  ...usual(""),
});

export const valuesOf = (mapping: Mapping): Values => ({
  name: mapping.name,
  provider: mapping.provider,
  roles: mapping.head.map((name) => mapping.columns.find(({ header }) => header === name)?.role ?? ""),
  decimal: mapping.decimal,
  dateForm: mapping.dateForm,
  sign: mapping.sign,
  type: mapping.type,
});

/** The columns that hold something, each with its place in the file. */
export const described = (values: Values, head: readonly string[]) =>
  head.flatMap((header, column) => {
    const role = values.roles[column] ?? "";
    return role === "" ? [] : [{ header, role, column }];
  });

export const rulesOf = (values: Values, head: readonly string[]): Rules => ({
  provider: values.provider,
  columns: described(values, head).map(({ header, role }) => ({ header, role })),
  decimal: values.decimal,
  dateForm: values.dateForm,
  sign: values.sign,
  type: values.roles.includes("type") ? "" : values.type,
});

/** A part of a file that nobody knows, with the row that a person says names its columns. */
export function sampleAt({ import: { id }, preview }: One, part: string, headLine: number): Sample {
  const rows = preview.rows.filter((row) => row.part === part);
  return {
    place: { importId: id, part, headLine },
    head: rows.find(({ line }) => line === headLine)?.cells ?? [],
    rows: rows.filter(({ line }) => line > headLine).map(({ cells }) => cells),
  };
}

/** The rows of a file that a mapping was made for; without them there is nothing to show. */
export function sampleFor(mapping: Mapping, one: One | undefined): Sample {
  const same = (head: readonly string[]) => head.join("\n") === mapping.head.join("\n");
  const rows = one?.preview.rows ?? [];
  const part = one?.preview.parts.find(({ role, head }) => role !== "unknown" && same(head));
  if (one && part)
    return {
      place: { importId: one.import.id, part: part.name, headLine: part.headLine },
      head: mapping.head,
      rows: rows.filter((row) => row.part === part.name).map(({ cells }) => cells),
    };
  const named = rows.find(({ cells }) => same(cells));
  return one && named
    ? sampleAt(one, named.part, named.line)
    : { place: { importId: "", part: "", headLine: 0 }, head: mapping.head, rows: [] };
}

/** How many of the first rows may name the columns. */
export const HEADS = 26;
