import type { Days, Parameters, Term } from "./calls";

/** Days by name, as a person says them. */
export const NAMED_DAYS = [
  "yesterday",
  "last_week",
  "last_4_weeks",
  "this_month",
  "last_month",
  "last_quarter",
  "this_year",
  "last_year",
] as const satisfies readonly Days[];

/** What stands before the name of a value in the address, so that none is taken for a day or a page. */
const VALUE = "v.";

/** What a report asks for besides its days. */
export const valuesOf = (ask: readonly Term[]) => ask.filter(({ kind }) => kind !== "day");

/** Whether a report is about a span of days. */
export const isDated = (ask: readonly Term[]) => ask.some(({ kind }) => kind === "day");

/** What the address asks of a report; undefined: nobody has asked yet. */
export function askedOf(params: URLSearchParams, ask: readonly Term[]): Parameters | undefined {
  const dated = isDated(ask);
  const named = NAMED_DAYS.find((one) => one === params.get("days"));
  if (dated && !named && !params.has("from") && !params.has("to")) return undefined;
  const values = Object.fromEntries(
    valuesOf(ask).flatMap(({ key }) => {
      const chosen = params.getAll(VALUE + key).filter(Boolean);
      return chosen.length > 0 ? [[key, chosen]] : [];
    }),
  );
  return {
    ...(dated && (named ? { days: named } : { from: params.get("from") ?? "", to: params.get("to") ?? "" })),
    ...(Object.keys(values).length > 0 && { values }),
  };
}

/** The address of a question. */
export function addressOf({ from, to, days, values = {} }: Parameters): URLSearchParams {
  const params = new URLSearchParams();
  if (days) params.set("days", days);
  else if (from !== undefined || to !== undefined) {
    params.set("from", from ?? "");
    params.set("to", to ?? "");
  }
  for (const [key, chosen] of Object.entries(values)) for (const one of chosen ?? []) params.append(VALUE + key, one);
  return params;
}
