import type { Language } from "../i18n/languages";
import { dates } from "./formatters";

/** The calendar day of an instant where the business is, never where the browser is. */
export function day(instant: string, language: Language, timeZone: string): string {
  return dates(language, {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone,
  }).format(new Date(instant));
}

/** The calendar day of this moment where the business is, as `2026-11-16`. */
export const today = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(new Date());

/** An instant to the minute where the business is. */
export function moment(instant: string, language: Language, timeZone: string): string {
  return dates(language, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(new Date(instant));
}

/** Calendar days from one to another, as short as the language allows: `2–8 lis 2026`; within a known year `2–8 lis`. */
export function daySpan(from: string, to: string, language: Language, within = ""): string {
  const noon = (on: string) => new Date(`${on}T12:00:00Z`);
  return dates(language, {
    day: "numeric",
    month: "short",
    ...([from, to].every((on) => within && on.startsWith(within)) ? {} : { year: "numeric" }),
    timeZone: "UTC",
  }).formatRange(noon(from || to), noon(to || from));
}

/** A calendar day with its weekday and without the year: `wt 3 lis`. */
export function weekday(on: string, language: Language): string {
  return dates(language, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(
    new Date(`${on}T12:00:00Z`),
  );
}

/** An instant where the business is, with its weekday and without the year: `pn 9 lis, 08:42`. */
export function weekdayMoment(instant: string, language: Language, timeZone: string): string {
  return dates(language, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(new Date(instant));
}

const MINUTE = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

/** How long something has lasted, in its largest unit: `3 godziny`, `2 dni`. */
export function age(since: string, language: Language, now = Date.now()): string {
  const minutes = Math.max(1, Math.floor((now - Date.parse(since)) / MINUTE));
  const written = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(Math.floor(value));
  if (minutes < HOUR) return written(minutes, "minute");
  return minutes < 2 * DAY ? written(minutes / HOUR, "hour") : written(minutes / DAY, "day");
}
