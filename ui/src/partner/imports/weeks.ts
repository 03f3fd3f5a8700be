const DAY_MS = 86_400_000;

const written = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The Monday and the Sunday of an ISO week such as `2026-W45`. */
export function weekDays(week: string): [from: string, to: string] {
  const [year = 0, number = 1] = week.split("-W").map(Number);
  // The fourth of January is always in the first week.
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (number - 1) * 7 * DAY_MS;
  return [written(monday), written(monday + 6 * DAY_MS)];
}

/** The ISO week that a Monday begins, such as `2026-W45`. */
export function weekCode(monday: string): string {
  // The Thursday of a week is always in the year of its number.
  const thursday = Date.parse(`${monday}T00:00:00Z`) + 3 * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const number = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(number).padStart(2, "0")}`;
}

/** Whether two days are the Monday and the Sunday of one week. */
export const isWeek = (from: string, to: string) =>
  from !== "" &&
  new Date(`${from}T00:00:00Z`).getUTCDay() === 1 &&
  Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`) === 6 * DAY_MS;

/** The Mondays and Sundays of the weeks before the one a day is in, the latest first. */
export function weeksBefore(day: string, number: number): [from: string, to: string][] {
  const on = Date.parse(`${day}T00:00:00Z`);
  const monday = on - ((new Date(on).getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: number }, (_, index) => {
    const from = monday - (index + 1) * 7 * DAY_MS;
    return [written(from), written(from + 6 * DAY_MS)];
  });
}
