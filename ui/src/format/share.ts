import type { Language } from "../i18n/languages";
import { numbers } from "./formatters";

/** Basis points as a percent with one decimal, rounded half away from zero, with its sign: `12,5 %`. */
export function share(basisPoints: number, language: Language): string {
  const tenths = Math.floor((Math.abs(basisPoints) + 5) / 10);
  const written = numbers(language, { style: "percent", maximumFractionDigits: 1 }).format(tenths / 1000);
  return `${basisPoints < 0 && tenths > 0 ? "−" : ""}${written}`;
}

/** The same as a difference: with a plus where it grew. */
export const change = (basisPoints: number, language: Language) =>
  `${basisPoints > 0 ? "+" : ""}${share(basisPoints, language)}`;
