import type { Problem } from "../../api/problem";
import type { Mark } from "./marked-area";

/** A place in a text that cannot be made into pages. */
export interface Place {
  line: number;
  column: number;
  code: string;
}

/** The places that a refusal names, as the server writes them: `body:12:3:mark`. */
export const placesOf = (problem: Problem | null | undefined): Place[] =>
  (problem?.fields ?? []).flatMap(({ name }) => {
    const [, line, column, code] = /^body:(\d+):(\d+):(\w+)$/.exec(name) ?? [];
    return code ? [{ line: Number(line), column: Number(column), code }] : [];
  });

/** Where a place begins, counted in the units that a text field counts in: the server counts letters. */
export function offsetOf(body: string, { line, column }: Pick<Place, "line" | "column">): number {
  const lines = body.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const within = Array.from(lines[line - 1] ?? "")
    .slice(0, column - 1)
    .join("").length;
  return Math.min(body.length, before + within);
}

/** Colours a wrong place to the end of its word. */
export function wrongMark(body: string, place: Place): Mark {
  const from = offsetOf(body, place);
  const length = /^\S+/.exec(body.slice(from))?.[0].length ?? 1;
  return { from, to: Math.min(body.length, from + length), kind: "wrong" };
}

/** Colours the placeholders that a driver has no value for. */
export const missingMarks = (body: string, missing: readonly string[]): Mark[] =>
  [...body.matchAll(/\{\{\s*([A-Za-z.]+)\s*\}\}/g)].flatMap((found) =>
    missing.includes(found[1] ?? "")
      ? [{ from: found.index, to: found.index + found[0].length, kind: "missing" as const }]
      : [],
  );
