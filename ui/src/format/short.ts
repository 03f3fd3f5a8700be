import type { Language } from "../i18n/languages";
import { numbers } from "./formatters";

/** The no-break space between a number and its unit. */
const NBSP = "\u00a0";

/** From thousands up to exa: `Intl` stops at 10¹² and leaves German thousands as they are. */
const UNITS = ["", "k", "M", "G", "T", "P", "E"] as const;

const abs = (value: bigint) => (value < 0n ? -value : value);

/** Tenths of a unit, rounded half away from zero. */
const tenths = (value: bigint, unit: bigint) => (value * 10n + unit / 2n) / unit;

/**
 * A number short enough for an axis or a tile: `12,5 k`, `1 M`. Only there, never for money that is paid: the exact value
 * stands beside it. `decimals` says how many of the last digits are behind the decimal sign.
 */
export function short(value: bigint, language: Language, decimals: 0 | 2 = 0): string {
  const size = abs(value);
  const one = 10n ** BigInt(decimals);
  let unit = 0;
  while (unit < UNITS.length - 1 && size >= one * 1000n ** BigInt(unit + 1)) unit++;
  let rounded = tenths(size, one * 1000n ** BigInt(unit));
  // What is rounded up to a thousand is one of the next unit.
  if (rounded >= 10_000n && unit < UNITS.length - 1) {
    unit++;
    rounded = tenths(size, one * 1000n ** BigInt(unit));
  }
  const exact = `${rounded / 10n}.${rounded % 10n}` as `${number}`;
  const text = numbers(language, { maximumFractionDigits: 1, useGrouping: "always" }).format(exact);
  return `${value < 0n && rounded !== 0n ? "−" : ""}${text}${unit > 0 ? `${NBSP}${UNITS[unit]}` : ""}`;
}

/** An amount of minor units, short. */
export const shortMoney = (minor: number, language: Language) => short(BigInt(minor), language, 2);

/** A count, short. */
export const shortCount = (value: number, language: Language) => short(BigInt(value), language);
