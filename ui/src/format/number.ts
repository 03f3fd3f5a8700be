import type { Language } from "../i18n/languages";
import { numbers } from "./formatters";

/** A count, grouped in every language: 1264 and 12640 must not meet on one screen in two styles. */
export function count(value: number, language: Language): string {
  return numbers(language, { useGrouping: "always" }).format(value);
}
