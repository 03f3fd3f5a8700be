import { addDays, mondayOf } from "../../tracking/entries";

/** A day with its entries, the newest first. */
interface Day<Entry> {
  day: string;
  entries: Entry[];
}

/** A week with its days, the newest first. */
export interface Week<Entry> {
  from: string;
  to: string;
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
