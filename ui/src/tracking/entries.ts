import type { Body } from "../api/client";

/** A trip as the server has it; it leaves no field out. */
export type Trip = Required<Body<"/api/trips">["items"][number]>;
/** Working time as the server has it. */
export type Work = Required<Body<"/api/time-entries">["items"][number]>;

/** What a person says of a trip. */
export interface TripFields {
  occurredOn: string;
  startAt: string;
  endAt: string;
  startPlace: string;
  endPlace: string;
  amount: number;
  payment: "cash" | "card";
}

/** What a person says of their working time. */
export interface WorkFields {
  startedAt: string;
  endedAt: string;
  breakMinutes: number;
  mileageStart: number;
  mileageEnd: number;
  plate: string;
  note: string;
}

export const tripFieldsOf = (trip: TripFields): TripFields => ({
  occurredOn: trip.occurredOn,
  startAt: trip.startAt,
  endAt: trip.endAt,
  startPlace: trip.startPlace,
  endPlace: trip.endPlace,
  amount: trip.amount,
  payment: trip.payment,
});

export const workFieldsOf = (work: WorkFields): WorkFields => ({
  startedAt: work.startedAt,
  endedAt: work.endedAt,
  breakMinutes: work.breakMinutes,
  mileageStart: work.mileageStart,
  mileageEnd: work.mileageEnd,
  plate: work.plate,
  note: work.note,
});

/** Whether two say the same. */
export const sameFields = <Fields extends object>(a: Fields, b: Fields) =>
  Object.entries(a).every(([name, value]) => value === b[name as keyof Fields]);

/** This moment where the business is, as `2026-11-18T23:59`. */
export function localMinute(timeZone: string, at = Date.now()): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year")}-${of("month")}-${of("day")}T${of("hour")}:${of("minute")}`;
}

const MINUTE = 60_000;

/** When a local minute is, where the business is. Of two such minutes in the night of a clock change it is the first. */
function instantOf(minute: string, timeZone: string): number {
  const asUTC = Date.parse(`${minute}:00Z`);
  if (Number.isNaN(asUTC)) return Number.NaN;
  const offset = (at: number) => Date.parse(`${localMinute(timeZone, at)}:00Z`) - Math.floor(at / MINUTE) * MINUTE;
  const day = 24 * 60 * MINUTE;
  for (const guess of [asUTC - offset(asUTC - day), asUTC - offset(asUTC + day)])
    if (localMinute(timeZone, guess) === minute) return guess;
  return asUTC - offset(asUTC);
}

/** Minutes between two local minutes, as a watch would measure them. */
export const minutesBetween = (from: string, to: string, timeZone: string) =>
  Math.round((instantOf(to, timeZone) - instantOf(from, timeZone)) / MINUTE);

/** Minutes as hours and minutes: `7:05`. */
export function hours(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, 10);
}

/** A day some days later. */
export function addDays(day: string, days: number): string {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
