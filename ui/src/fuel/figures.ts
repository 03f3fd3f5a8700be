import { count } from "../format/number";
import { numbers } from "../format/formatters";
import type { Language } from "../i18n/languages";
import type { Refuelling } from "./calls";

/** Millilitres as litres, with as many decimals as they have, two at most. */
export const litres = (millilitres: number, language: Language, least: 0 | 2 = 2) =>
  numbers(language, { minimumFractionDigits: least, maximumFractionDigits: 2, useGrouping: "always" }).format(
    `${millilitres < 0 ? "-" : ""}${Math.floor(Math.abs(millilitres) / 1000)}.${String(Math.abs(millilitres) % 1000).padStart(3, "0")}` as `${number}`,
  );

const PRICE = 100_000;

/** The price of a litre, exactly: as stations write it, with two decimals or three. */
export const price = (unitPrice: number, language: Language) =>
  numbers(language, { minimumFractionDigits: 2, maximumFractionDigits: 5 }).format(
    `${Math.floor(unitPrice / PRICE)}.${String(unitPrice % PRICE).padStart(5, "0")}` as `${number}`,
  );

export const kilometres = (km: number, language: Language) => count(km, language);

/** The week of a period: `W45`. */
export const weekOf = (period: string) => period.slice(5);

/** Fuel of a week, from its Monday. */
interface Week {
  from: string;
  to: string;
  gross: number;
  millilitres: number;
}

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);

/** The day so many days later. */
export const daysLater = (day: string, n: number) => dayOf(noon(day) + n * DAY_MS);

const mondayOf = (day: string) => daysLater(day, -((new Date(noon(day)).getUTCDay() + 6) % 7));

/** Fuel by week, oldest first, from the first week with some to the last one with some. */
export function weeksOf(refuellings: readonly Refuelling[]): Week[] {
  const found = new Map<string, Week>();
  for (const { on, type, gross, millilitres } of refuellings) {
    if (type !== "FUEL") continue;
    const from = mondayOf(on);
    const week = found.get(from) ?? { from, to: daysLater(from, 6), gross: 0, millilitres: 0 };
    found.set(from, { ...week, gross: week.gross + gross, millilitres: week.millilitres + millilitres });
  }
  const days = [...found.keys()].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const weeks: Week[] = [];
  for (let from = first; from <= last; from = daysLater(from, 7))
    weeks.push(found.get(from) ?? { from, to: daysLater(from, 6), gross: 0, millilitres: 0 });
  return weeks;
}
