import { dates } from "../../format/formatters";
import { daySpan } from "../../format/date";
import type { Language } from "../../i18n/languages";

/** A week below an axis: the day that it begins on. */
export const tickOf = (from: string, language: Language) =>
  dates(language, { day: "numeric", month: "numeric", timeZone: "UTC" }).format(new Date(`${from}T12:00:00Z`));

/** A week in full. */
export const weekOf = ({ from, to }: { from: string; to: string }, language: Language) => daySpan(from, to, language);

/** A month such as 2026-11. */
export const monthOf = (month: string, language: Language) =>
  dates(language, { month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-15T12:00:00Z`));
