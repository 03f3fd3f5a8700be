import { addDays, mondayOf } from "../../tracking/entries";

/** A day with its entries, the newest first. */
interface Day<Entry> {
  day: string;
  entries: Entry[];
}

/** A week with its days, the newest first. */
interface Week<Entry> {
  from: string;
  to: string;
  days: Day<Entry>[];
}

/** As much of a week as is drawn. */
export interface Shown<Entry> {
  week: Week<Entry>;
  days: Day<Entry>[];
}

/** Entries by week and day, the newest first. */
export function inWeeks<Entry>(entries: readonly Entry[], when: (entry: Entry) => string): Week<Entry>[] {
  const weeks = new Map<string, Map<string, Entry[]>>();
  for (const entry of [...entries].sort((a, b) => when(b).localeCompare(when(a)))) {
    const day = when(entry).slice(0, 10);
    const monday = mondayOf(day);
    const days = weeks.get(monday) ?? new Map<string, Entry[]>();
    weeks.set(monday, days);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...weeks].map(([from, days]) => ({
    from,
    to: addDays(from, 6),
    days: [...days].map(([day, of]) => ({ day, entries: of })),
  }));
}

/** How many entries are drawn at first, and how many more each time: drawing all of a month without a line takes seconds. */
export const ROWS = 60;

/** The newest weeks with that many entries; their days are cut, and what is shown of a week's sums is not. */
export function newest<Entry>(weeks: readonly Week<Entry>[], most: number): Shown<Entry>[] {
  let left = most;
  const shown: Shown<Entry>[] = [];
  for (const week of weeks) {
    if (left <= 0) break;
    const days: Day<Entry>[] = [];
    for (const { day, entries } of week.days) {
      if (left <= 0) break;
      days.push({ day, entries: entries.slice(0, left) });
      left -= entries.length;
    }
    shown.push({ week, days });
  }
  return shown;
}
