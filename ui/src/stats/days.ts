import type { Fleet } from "./calls";

const DAY_MS = 86_400_000;

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** A day so many days later. */
export const later = (day: string, days: number) => new Date(at(day) + days * DAY_MS).toISOString().slice(0, 10);

/** How many whole weeks there are from a Monday to a Sunday. */
export const weeksIn = (from: string, to: string) => Math.round((at(to) - at(from) + DAY_MS) / (7 * DAY_MS));

/** By how much a value differs from an earlier one, in basis points; undefined: there is nothing to compare with. */
export function changeOf(value: number, before: number): number | undefined {
  return before > 0 ? Math.round(((value - before) * 10_000) / before) : undefined;
}

/** A part of a whole in basis points; undefined: there is no whole. */
export const shareOf = (part: number, whole: number): number | undefined =>
  whole > 0 ? Math.round((part * 10_000) / whole) : undefined;

/** The Monday and the Sunday of an ISO week such as `2026-W45`. */
export function weekDaysOf(week: string): { from: string; to: string } {
  const [year = "", number = ""] = week.split("-W");
  // The fourth of January is always in the first week.
  const fourth = `${year}-01-04`;
  const monday = later(fourth, -((new Date(at(fourth)).getUTCDay() + 6) % 7) + 7 * (Number(number) - 1));
  return { from: monday, to: later(monday, 6) };
}

/** The last Sunday before a day. */
export const lastSunday = (day: string) => later(day, -(new Date(at(day)).getUTCDay() || 7));

/** The statistics from the first week on of which anything is known: a fleet that is new here has no flat line of zeros before. */
export function begun<Of extends Pick<Fleet, "weeks" | "apps">>(of: Of): Of {
  const first = of.weeks.findIndex(
    ({ revenue, lastYear, payout, active }) => revenue !== 0 || lastYear !== 0 || payout !== 0 || active > 0,
  );
  if (first <= 0) return of;
  return {
    ...of,
    weeks: of.weeks.slice(first),
    apps: of.apps.map((app) => ({ ...app, weeks: app.weeks.slice(first) })),
  };
}
