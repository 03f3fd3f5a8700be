import { type FaultCode, Problem } from "../../api/problem";
import type { Sent } from "../../invoices/calls";

/** An invoice that waits on the device until it can be sent. */
export interface Waiting {
  /** The idempotency key of its upload: however often it is sent, it becomes one invoice. */
  key: string;
  /** Whose it is: nobody else on this device sends it or sees it. */
  owner: string;
  file: Blob;
  name: string;
  /** What was typed; absent: the fleet describes it. */
  data: Sent | undefined;
  at: string;
  /** Why the server did not take it; until then it is only waiting. */
  refused?: FaultCode;
}

/** Where waiting invoices are kept. */
export interface Shelf {
  all: () => Promise<readonly Waiting[]>;
  put: (one: Waiting) => Promise<unknown>;
  remove: (key: string) => Promise<unknown>;
}

/** Sends one; throws a Problem where it is refused or the line is cut. */
type Send = (one: Waiting) => Promise<unknown>;

/** How sending ended. */
interface Outcome {
  sent: number;
  refused: number;
  /** Whether the line was cut: the rest waits. */
  cut: boolean;
}

/** The answer that the server has this file already: a repeat whose first answer was lost, or the same photo once more. */
const THERE = "invoices.same_file";

/**
 * Sends what a person has waiting, the oldest first. One is taken off only after an answer. Where the line is cut, nothing more is
 * tried; what is refused stays with its reason and holds nothing up.
 */
export async function sendWaiting(shelf: Shelf, owner: string, send: Send): Promise<Outcome> {
  const outcome: Outcome = { sent: 0, refused: 0, cut: false };
  const mine = (await shelf.all()).filter((one) => one.owner === owner && !one.refused);
  for (const one of [...mine].sort((a, b) => a.at.localeCompare(b.at))) {
    const problem = await send(one).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (problem === undefined || (problem instanceof Problem && problem.code === THERE)) {
      await shelf.remove(one.key);
      outcome.sent++;
    } else if (problem instanceof Problem && isFinal(problem)) {
      await shelf.put({ ...one, refused: problem.code });
      outcome.refused++;
    } else {
      outcome.cut = true;
      return outcome;
    }
  }
  return outcome;
}

/** Whether sending the same again would be refused again; other problems pass with time or after signing in. */
const isFinal = ({ status }: Problem) => status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
