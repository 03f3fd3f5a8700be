const DAY_MS = 86_400_000;

/** The Monday and the Sunday of an ISO week such as `2026-W45`. */
export function weekDays(week: string): [from: string, to: string] {
  const [year = 0, number = 1] = week.split("-W").map(Number);
  // The fourth of January is always in the first week.
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (number - 1) * 7 * DAY_MS;
  const written = (at: number) => new Date(at).toISOString().slice(0, 10);
  return [written(monday), written(monday + 6 * DAY_MS)];
}
