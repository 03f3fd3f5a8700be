import { explanationOf } from "./figures";
import type { Explained, Explanation, Line } from "./queries";
import { wayOf } from "./sums";

/** What stands behind a line before it is opened: the limit that cut it, else the periods it is from, else how many rows. */
export function noteOf(settlement: Pick<Explained, "explanations">, line: Pick<Line, "terms">) {
  const of = line.terms.flatMap(({ figure, provider }) => explanationOf(settlement, figure, provider) ?? []);
  return {
    limit: of.find((one) => one.cap && wayOf(one).capped < wayOf(one).sum)?.cap?.rule,
    periods: of.flatMap(({ parts }) => parts.flatMap(({ periods }) => periods ?? [])),
    rows: new Set(of.flatMap((one) => rowsBehind(settlement, one))).size,
  };
}

function rowsBehind(settlement: Pick<Explained, "explanations">, of: Explanation): string[] {
  return of.parts.flatMap((part) => {
    if (part.kind === "rows") return (part.rows ?? []).map(({ id }) => id);
    const inner = part.figure && part.of === 1 ? explanationOf(settlement, part.figure, part.provider) : undefined;
    return inner ? rowsBehind(settlement, inner) : [];
  });
}
