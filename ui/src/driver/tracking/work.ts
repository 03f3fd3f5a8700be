import { useEffect, useState } from "react";
import { recall, remember } from "../../browser/storage";
import { minutesBetween, type WorkFields } from "../../tracking/entries";

/** Since when a break lasts, and of which entry. It stays when the application is closed; nothing of it leaves the device. */
interface Break {
  id: string;
  since: string;
}

const BREAK = "break";

/** The break of an entry that was begun and not ended. */
export function breakOf(id: string): string | undefined {
  try {
    const found = JSON.parse(recall("localStorage", BREAK) ?? "null") as Break | null;
    return found?.id === id ? found.since : undefined;
  } catch {
    return undefined;
  }
}

/** Notes when a break began, or that it is over. */
export const noteBreak = (id: string, since: string | undefined) =>
  remember("localStorage", BREAK, since ? JSON.stringify({ id, since } satisfies Break) : null);

/** The plate of the last working time on this device's list. */
export const lastPlate = (entries: readonly { fields: WorkFields }[]) =>
  [...entries].sort((a, b) => b.fields.startedAt.localeCompare(a.fields.startedAt)).find(({ fields }) => fields.plate)
    ?.fields.plate ?? "";

/** Minutes worked: from start to end, without the breaks. */
export const worked = ({ startedAt, endedAt, breakMinutes }: WorkFields, timeZone: string) =>
  minutesBetween(startedAt, endedAt, timeZone) - breakMinutes;

/** What is wrong with working time, if anything. */
export function wrongIn(fields: WorkFields, timeZone: string): Partial<Record<keyof WorkFields, WrongWork>> {
  if (!fields.startedAt) return { startedAt: "required" };
  const wrong: Partial<Record<keyof WorkFields, WrongWork>> = {};
  if (fields.endedAt) {
    const minutes = minutesBetween(fields.startedAt, fields.endedAt, timeZone);
    if (minutes < 0) wrong.endedAt = "endBeforeStart";
    else if (minutes > DAY) wrong.endedAt = "tooLong";
    else if (fields.breakMinutes > minutes) wrong.breakMinutes = "breakTooLong";
  }
  if (fields.mileageEnd > 0 && fields.mileageStart > fields.mileageEnd) wrong.mileageEnd = "mileageBack";
  return wrong;
}

export type WrongWork = "required" | "endBeforeStart" | "tooLong" | "breakTooLong" | "mileageBack";

const DAY = 24 * 60;

/** This moment, again every half a minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
