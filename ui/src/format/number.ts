import { type Language, localeOf } from "../i18n/languages";

/** A count, grouped in every language: 1264 and 12640 must not meet on one screen in two styles. */
export function count(value: number, language: Language): string {
  return new Intl.NumberFormat(localeOf(language), { useGrouping: "always" }).format(value);
}
