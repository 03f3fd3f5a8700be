import type { Language } from "../i18n/languages";
import { numbers } from "./formatters";

/** The no-break space that stands before a currency sign. */
const NBSP = "\u00a0";

/**
 * Writes an amount of minor units (grosze, cents) with two decimals, grouped in every language, with
 * U+2212 as its minus. The digits are never turned into a binary fraction, so any amount is exact.
 */
export function money(minor: bigint, language: Language): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, "0");
  const exact = `${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
  const text = numbers(language, { minimumFractionDigits: 2, useGrouping: "always" }).format(exact);
  return minor < 0n ? `−${text}` : text;
}

/** The sign of a currency as it stands after an amount, with its no-break space. */
export function currencySign(currency: "PLN" | "EUR", language: Language): string {
  const parts = numbers(language, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  }).formatToParts(0);
  return NBSP + (parts.find((part) => part.type === "currency")?.value ?? currency);
}
