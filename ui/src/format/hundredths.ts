import type { Language } from "../i18n/languages";
import { numbers } from "./formatters";

/** The sign between thousands in a language. */
const groupOf = (language: Language) =>
  numbers(language, { useGrouping: "always" })
    .formatToParts(1234)
    .find((part) => part.type === "group")?.value;

/**
 * Reads what a person types for an amount or a percent: `1 234,50`, `1.234,50`, `12,5`. Both have two decimals, so both
 * are whole hundredths: minor units, basis points. A text that could mean two numbers, or has more decimals, is nothing.
 */
export function parseHundredths(text: string, language: Language): number | undefined {
  const typed = text.trim().replace("−", "-");
  const number = typed.replace(/^[+-]/, "");
  // One or two digits after a last sign can only be decimals, whichever sign it is; three are decimals in no language.
  const decimals = /^(.*)[.,](\d{1,2})$/.exec(number);
  const whole = decimals?.[1] ?? number;
  const group = /[\s.,']/.exec(whole)?.[0];
  // Without decimals a dot or comma divides thousands only where the language says so: elsewhere it may be a slip.
  const ambiguous = decimals
    ? group === number.at(whole.length)
    : /^[.,]$/.test(group ?? "") && group !== groupOf(language);
  if (ambiguous) return undefined;
  const groups = group === undefined ? [whole] : whole.split(group);
  const [first = "", ...rest] = groups;
  const well =
    rest.length === 0 ? /^\d+$/.test(first) : /^\d{1,3}$/.test(first) && rest.every((g) => /^\d{3}$/.test(g));
  const digits = groups.join("") + (decimals?.[2] ?? "").padEnd(2, "0");
  if (!well || digits.length > 15) return undefined;
  return Number(digits) * (typed.startsWith("-") ? -1 : 1);
}

/** Basis points as a percent without its sign and without zeros that say nothing: 850 is `8,5`. */
export function percent(basisPoints: number, language: Language): string {
  const digits = String(Math.abs(basisPoints)).padStart(3, "0");
  const exact = `${basisPoints < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
  return numbers(language, { maximumFractionDigits: 2, useGrouping: false }).format(exact);
}
