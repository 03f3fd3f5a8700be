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

/** The Mondays and Sundays of the weeks before the one a day is in, the latest first. */
export function weeksBefore(day: string, number: number): [from: string, to: string][] {
  const on = Date.parse(`${day}T00:00:00Z`);
  const monday = on - ((new Date(on).getUTCDay() + 6) % 7) * DAY_MS;
  return Array.from({ length: number }, (_, index) => {
    const from = monday - (index + 1) * 7 * DAY_MS;
    return [written(from), written(from + 6 * DAY_MS)];
  });
}
