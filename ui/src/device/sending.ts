import { Problem } from "../api/problem";
import type { Row } from "./database";
import { insist, lastSent, note, noteSent, photoOf, read, type Refusal, rows, type Waiting } from "./outbox";

/** What the server says of one change. */
export type Answer =
  | { outcome: "saved"; version: number }
  | { outcome: "deleted" }
  | { outcome: "conflict"; theirs: unknown }
  | { outcome: "refused"; refusal: Refusal };

/** The calls with which changes are sent. They throw a Problem where the line is cut or all of it is refused. */
export interface Calls<Entry> {
  /** Sends changes in their order; an answer for each. */
  batch: (changes: readonly Waiting<Entry>[]) => Promise<Answer[]>;
  /** Sends a photo, or takes one away. */
  photo: (change: Row, side: string, photo: Blob | undefined) => Promise<unknown>;
  /** Whether what the server has is what this device sent before, and which version it is then. */
  own: (sent: Entry, theirs: unknown) => number | undefined;
}

/** How sending ended. */
interface Ended {
  /** How many calls brought something to the server. */
  sent: number;
  /** Whether the line was cut: the rest waits. */
  cut: boolean;
}

/** How many changes go at once. */
const BATCH = 50;

/** Whether sending the same again would be refused again; other problems pass with time or after signing in. */
const isFinal = ({ status, code }: Problem) =>
  code.startsWith("tracking.") || (status >= 400 && status < 500 && ![401, 403, 408, 409, 425, 429].includes(status));

/**
 * Sends what a person has waiting, the oldest first, entries before photos. A change goes away only after an answer. Where the line
 * is cut, nothing more is tried. What is refused stays with its reason and holds nothing up.
 */
export async function sendAll<Entry>(owner: string, calls: Calls<Entry>, onStep: () => void): Promise<Ended> {
  const ended: Ended = { sent: 0, cut: false };
  let most = BATCH;
  for (;;) {
    const waiting = (await rows(owner)).filter(({ state }) => state === "waiting");
    const unsaved = waiting.filter(({ saved }) => !saved);
    // One fleet at a time: what was written for another one is refused for itself.
    const entries = unsaved.filter(({ partner }) => partner === unsaved[0]?.partner).slice(0, most);
    const withPhoto = waiting.find(({ saved }) => saved);
    try {
      if (entries.length > 0) await sendEntries(entries, calls);
      else if (withPhoto) await sendPhoto(withPhoto, calls);
      else return ended;
      ended.sent++;
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      if (!isFinal(reason)) return { ...ended, cut: true };
      // One of many may be what is refused: then they go one by one.
      const [first] = entries;
      if (entries.length > 1) most = 1;
      else if (first) await note(first, { done: "refused", refusal: refusalOf(reason) });
      else return { ...ended, cut: true };
    }
    onStep();
  }
}

const refusalOf = ({ code, params, fields }: Problem): Refusal => ({
  code,
  params: { ...params, ...(fields[0] && { field: fields[0].name }) },
});

async function sendEntries<Entry>(entries: readonly Row[], calls: Calls<Entry>) {
  await noteSent(entries);
  const before = await Promise.all(entries.map((row) => lastSent<Entry>(row)));
  const answers = await calls.batch(await Promise.all(entries.map((row) => read<Entry>(row))));
  for (const [n, row] of entries.entries()) {
    const answer = answers[n];
    if (!answer) continue;
    switch (answer.outcome) {
      case "saved":
        await note(row, { done: "saved", version: answer.version });
        break;
      case "deleted":
        await note(row, { done: "deleted" });
        break;
      case "refused":
        await note(row, { done: "refused", refusal: answer.refusal });
        break;
      default: {
        // An answer was lost, and what the server has is what this device sent then: nobody else changed anything.
        const sent = before[n];
        const version = sent && calls.own(sent, answer.theirs);
        if (version === undefined || version === row.version)
          await note(row, { done: "conflict", theirs: answer.theirs });
        else await insist(row.id, version);
      }
    }
  }
}

async function sendPhoto<Entry>(row: Row, calls: Calls<Entry>) {
  const side = row.gone[0] ?? row.photos[0];
  if (side === undefined) {
    await note(row, { done: "saved", version: row.version });
    return;
  }
  const photo = row.gone.includes(side) ? undefined : await photoOf(row.owner, row.id, side);
  try {
    if (photo || row.gone.includes(side)) await calls.photo(row, side, photo);
    await note(row, { done: "photo", side });
  } catch (reason) {
    if (!(reason instanceof Problem) || !isFinal(reason)) throw reason;
    await note(row, { done: "refused", refusal: { ...refusalOf(reason), side } });
  }
}
