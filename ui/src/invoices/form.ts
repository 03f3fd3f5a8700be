import { parseHundredths } from "../format/hundredths";
import type { Language } from "../i18n/languages";
import { FIELDS, type FieldName, isField, kindOf, LOOK_FROM, REQUIRED, SURE_FROM } from "./fields";

/** A place on a page: left, top, right and bottom, in parts of its width and height. */
export type Box = readonly number[];

/** One value that was read from the file. */
export interface Read {
  value: string;
  confidence: number;
  /** Counts from 1; 0: it has no place, as in XML. */
  page: number;
  box: Box;
}

export type Values = Readonly<Record<FieldName, string>>;

/** A form while it is filled in, by a person and by what is read from the file meanwhile. */
export interface Draft {
  values: Values;
  /** What a person typed or looked at and left: nothing that is read later changes it. */
  touched: ReadonlySet<FieldName>;
  read: Readonly<Partial<Record<FieldName, Read>>>;
  /** The fields in the order in which they are shown. */
  order: readonly FieldName[];
}

const NOTHING = Object.fromEntries(FIELDS.map((name) => [name, ""])) as Values;

/** An empty form, or one with what is known of an invoice. */
export const draftOf = (values: Partial<Values> = {}, touched: Iterable<string> = []): Draft => ({
  values: { ...NOTHING, ...values },
  touched: new Set([...touched].filter(isField)),
  read: {},
  order: FIELDS,
});

/** What a person types stays, whatever is read later. */
export const withTyped = (draft: Draft, name: FieldName, value: string): Draft => ({
  ...draft,
  values: { ...draft.values, [name]: value },
  touched: new Set([...draft.touched, name]),
});

/** Whether what was read may stand in a field. Amounts are solved together: where a person has typed one, none of them is filled in. */
const mayFill = ({ touched }: Draft, name: FieldName): boolean =>
  !touched.has(name) && (kindOf(name) !== "amount" || ![...touched].some((one) => kindOf(one) === "amount"));

/**
 * The form with what was read: only fields that nobody has touched take it, and only from what is worth a look. Fields are put in the
 * order of sureness unless somebody has begun to type: nothing moves away under a thumb.
 */
export function withRead(draft: Draft, found: Readonly<Record<string, Read>>, write: Write): Draft {
  const read = Object.fromEntries(Object.entries(found).filter(([name]) => isField(name))) as Draft["read"];
  const taken = FIELDS.flatMap((name) => {
    const one = read[name];
    return one && one.confidence >= LOOK_FROM && mayFill(draft, name) ? [[name, write(name, one.value)]] : [];
  });
  const next = { ...draft, read, values: { ...draft.values, ...Object.fromEntries(taken) } as Values };
  return draft.touched.size > 0 ? next : { ...next, order: leastSureFirst(next) };
}

/** Writes a value as it is read for whoever types it: minor units become an amount. */
export type Write = (name: FieldName, value: string) => string;

/** How much a field needs a look: 0 for what must be filled in and is empty, then what is unsure, then what is sure, then the rest. */
function sureness({ values, read, touched }: Draft, name: FieldName): number {
  const needed = REQUIRED.includes(name);
  if (values[name] === "") return needed ? 0 : 3;
  const sure = touched.has(name) ? 1 : (read[name]?.confidence ?? 1);
  return sure < SURE_FROM ? 1 + sure / SURE_FROM : 2;
}

/** The fields that need a look first. */
const leastSureFirst = (draft: Draft): FieldName[] =>
  [...FIELDS].sort((a, b) => sureness(draft, a) - sureness(draft, b) || FIELDS.indexOf(a) - FIELDS.indexOf(b));

/** Whether a person should look at a field: it is missing, or was read and is not sure, and nobody has touched it. */
export function isUnsure(draft: Draft, name: FieldName): boolean {
  if (draft.values[name] === "") return REQUIRED.includes(name);
  const read = draft.read[name];
  return read !== undefined && read.confidence < SURE_FROM && !draft.touched.has(name);
}

/** What was read, but is too unsure to stand in the field. */
export function hintOf(draft: Draft, name: FieldName): string {
  const read = draft.read[name];
  return read && draft.values[name] === "" && read.confidence < LOOK_FROM ? read.value : "";
}

/** What is sent: amounts in minor units, numbers as numbers. Fields that are not what they should be are listed. */
export function sentOf({ values }: Draft, language: Language) {
  const wrong: FieldName[] = [];
  const sent: Record<string, string | number> = {};
  for (const name of FIELDS) {
    const typed = values[name].trim();
    const kind = kindOf(name);
    if (kind === "amount") {
      const amount = typed === "" ? 0 : parseHundredths(typed, language);
      if (amount === undefined) wrong.push(name);
      else sent[name] = amount;
    } else if (kind === "number") {
      const digits = typed.replace(/\s/g, "");
      if (/^\d{0,7}$/.test(digits)) sent[name] = Number(digits);
      else wrong.push(name);
    } else sent[name] = typed;
  }
  const missing = REQUIRED.filter((name) => values[name].trim() === "");
  return { sent, wrong, missing };
}
