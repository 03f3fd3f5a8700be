import { type FaultCode, Problem } from "../api/problem";
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
  /** Sends an upload with its files at once; it resolves where the server has it, also since before. */
  whole: (change: Waiting<Entry>, files: Readonly<Record<string, Blob>>) => Promise<unknown>;
  /** Whether what the server has is what this device sent before, and which version it is then. */
  own: (sent: Entry, theirs: unknown) => number | undefined;
}

/** How sending ended. */
interface Ended {
  /** How many calls brought something to the server. */
  sent: number;
  /** Whether the line was cut, or the server takes nothing yet: the rest waits. */
  cut: boolean;
  /** Why the rest waits. */
  why?: FaultCode;
}

/** How many changes go at once. */
const BATCH = 50;

/** A refusal of what was sent; others of the same status are about who sends it, or about a twin that is on its way. */
const OF_CONTENT = /^(tracking|invoices|documents)\./;

/** What passes although it looks like a refusal: the fleet accepts the driver, or a twin of an upload is done. */
const PASSES: readonly FaultCode[] = ["tracking.not_linked", "invoices.changed", "documents.changed"];

/** Whether sending the same again would be refused again; other problems pass with time or after signing in. */
const isFinal = ({ status, code }: Problem) =>
  status >= 400 &&
  status < 500 &&
  ![401, 408, 425, 429].includes(status) &&
  !PASSES.includes(code) &&
  (OF_CONTENT.test(code) || (status !== 403 && status !== 409));

/** Whether all of it is sent at once. */
const isWhole = ({ kind }: Row) => kind === "invoice" || kind === "document";

/**
 * Sends what a person has waiting, the oldest first, entries before photos and these before uploads. A change goes away only after an answer. Where the line
 * is cut, nothing more is tried. What is refused stays with its reason and holds nothing up.
 */
export async function sendAll<Entry>(owner: string, calls: Calls<Entry>, onStep: () => void): Promise<Ended> {
  const ended: Ended = { sent: 0, cut: false };
  let most = BATCH;
  for (;;) {
    const waiting = (await rows(owner)).filter(({ state }) => state === "waiting");
    const unsaved = waiting.filter((row) => !row.saved && !isWhole(row));
    // One fleet at a time: what was written for another one is refused for itself.
    const entries = unsaved.filter(({ partner }) => partner === unsaved[0]?.partner).slice(0, most);
    const withPhoto = waiting.find(({ saved }) => saved);
    const upload = waiting.find(isWhole);
    try {
      if (entries.length > 0) await sendEntries(entries, calls);
      else if (withPhoto) await sendPhoto(withPhoto, calls);
      else if (upload) await sendWhole(upload, calls);
      else return ended;
      ended.sent++;
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      if (!isFinal(reason)) return { ...ended, cut: true, why: reason.code };
      // One of many may be what is refused: then they go one by one.
      const [first] = entries;
      if (entries.length > 1) most = 1;
      else if (first) await note(first, { done: "refused", refusal: refusalOf(reason) });
      else return { ...ended, cut: true, why: reason.code };
    }
    onStep();
  }
}

const refusalOf = ({ code, params, fields }: Problem): Refusal => ({
  code,
  params: { ...params, ...(fields[0] && { field: fields[0].name }) },
  fields,
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

async function sendWhole<Entry>(row: Row, calls: Calls<Entry>) {
  await noteSent([row]);
  const files: Record<string, Blob> = {};
  for (const side of row.photos) {
    const file = await photoOf(row.owner, row.id, side);
    if (file) files[side] = file;
  }
  try {
    await calls.whole(await read<Entry>(row), files);
    await note(row, { done: "deleted" });
  } catch (reason) {
    if (!(reason instanceof Problem) || !isFinal(reason)) throw reason;
    await note(row, { done: "refused", refusal: refusalOf(reason) });
  }
}
