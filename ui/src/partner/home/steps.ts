import type { Overview, Pending } from "./queries";

/** The parts of a week's work, in the order in which they are done. */
export const steps = ["files", "people", "settle", "send", "pay", "bank", "back"] as const;
export type Step = (typeof steps)[number];

/** How much of each step is left; undefined: not known yet. */
export function leftOf(overview: Overview, pending: Pending | undefined): Record<Step, number | undefined> {
  return {
    files: overview.toConfirm + overview.missingFiles.length,
    people: overview.unmatched,
    settle: pending?.settleable,
    send: overview.unsent + overview.failedMails,
    pay: overview.unpaid,
    bank: overview.proposed + overview.released,
    back: overview.returned,
  };
}

/**
 * What to do next; undefined: nothing, or it is not known yet. Money that came back is looked at before new money is
 * sent, and nobody is settled while a file waits to be confirmed or names somebody unknown.
 */
export function nextStep(overview: Overview, pending: Pending | undefined): Step | undefined {
  const left = leftOf(overview, pending);
  const order: readonly Step[] = ["files", "people", "settle", "back", "send", "pay", "bank"];
  for (const step of order) {
    const number = left[step];
    if (number === undefined) return undefined;
    if (number > 0) return step;
  }
  return undefined;
}

/** Where a step is done. */
export function pathOf(step: Step, { period, missingFiles, toConfirm }: Overview): string {
  switch (step) {
    case "files":
      return toConfirm === 0 && missingFiles.length > 0 ? "/upload/coverage" : "/upload";
    case "people":
      return "/upload/drivers";
    case "settle":
      return `/settlements/pending?period=${period.code}`;
    case "send":
      return "/settlements/settled";
    case "pay":
      return "/payouts/new";
    case "bank":
    case "back":
      return "/payouts";
  }
}
