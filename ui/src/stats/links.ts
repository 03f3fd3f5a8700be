import type { FleetWeek } from "./calls";

/** All settlements of a week, whatever became of them. */
export const settlementsOf = (week: string) => `/settlements/settled?show=all&period=${week}`;

/** All settlements from one week to another. */
export const settlementsFrom = (first: string, last: string) =>
  first === last ? settlementsOf(last) : `${settlementsOf(last)}&since=${first}`;

/** Where the rows of a week are: its settlements, or what is not settled of it yet. */
export const rowsOf = ({ week, payout, earned }: Pick<FleetWeek, "week" | "payout" | "earned">) =>
  payout === 0 && earned === 0 ? `/settlements/pending?period=${week}` : settlementsOf(week);

/** A driver's rows in some days. */
export const transactionsOf = (driver: string, { from, to }: { from: string; to: string }) =>
  `/transactions/details/${driver}?from=${from}&to=${to}`;

/** Who owes something, the largest debts first. */
export const DEBTS = "/settlements/pending?most=-1&sort=payout";
