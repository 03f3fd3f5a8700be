import { daySpan } from "../format/date";
import { dates } from "../format/formatters";
import { money } from "../format/money";
import { count } from "../format/number";
import { share } from "../format/share";
import type { Language } from "../i18n/languages";
import { weekDaysOf } from "../stats/days";
import type { Kind, Term } from "./calls";

/** Whether a column holds numbers: they stand right, words left. */
export const isNumber = (kind: Kind | undefined) =>
  kind === "count" || kind === "money" || kind === "minutes" || kind === "percent";

const WEEK = /^\d{4}-W\d{2}$/;
const MONTH = /^\d{4}-\d{2}$/;

/** Weeks and months by their days and names: `2–8 lis 2026`, `listopad 2026`. */
function spanOf(cell: string, key: string, language: Language): string {
  if ((key === "week" || key === "period") && WEEK.test(cell)) {
    const { from, to } = weekDaysOf(cell);
    return daySpan(from, to, language);
  }
  if (key === "month" && MONTH.test(cell))
    return dates(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(
      new Date(`${cell}-15T12:00:00Z`),
    );
  return cell;
}

/** A cell of a report as people read it. */
export function written(cell: unknown, { key, kind }: Pick<Term, "key" | "kind">, language: Language): string {
  if (typeof cell === "string")
    return kind === "day" && cell ? daySpan(cell, cell, language) : spanOf(cell, key, language);
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
