import { daySpan } from "../format/date";
import { money } from "../format/money";
import { count } from "../format/number";
import { share } from "../format/share";
import type { Language } from "../i18n/languages";
import type { Kind } from "./calls";

/** Whether a column holds numbers: they stand right, words left. */
export const isNumber = (kind: Kind | undefined) =>
  kind === "count" || kind === "money" || kind === "minutes" || kind === "percent";

/** A cell of a report as people read it. */
export function written(cell: unknown, kind: Kind | undefined, language: Language): string {
  if (typeof cell === "string") return kind === "day" && cell ? daySpan(cell, cell, language) : cell;
  if (typeof cell !== "number") return "";
  switch (kind) {
    case "money":
      return money(BigInt(cell), language);
    case "percent":
      return share(cell * 10, language);
    case "minutes":
      return `${count(Math.floor(cell / 60), language)}:${String(cell % 60).padStart(2, "0")}`;
    default:
      return count(cell, language);
  }
}
