import { answer, api } from "../api/client";
import { Problem } from "../api/problem";
import type { Row } from "../device/database";
import type { Waiting } from "../device/outbox";
import type { Answer, Calls } from "../device/sending";
import { DOCUMENTS, type Sent as SentDocument, uploadDocument } from "../driver-documents/calls";
import { INVOICES, type Sent as SentInvoice, upload } from "../invoices/calls";
import { removePhoto, sendPhoto, TIMES, TRIPS } from "../tracking/calls";
import {
  sameFields,
  type Trip,
  type TripFields,
  tripFieldsOf,
  type Work,
  type WorkFields,
  workFieldsOf,
} from "../tracking/entries";

/** What is written down here: a trip or working time. */
export type Fields = TripFields | WorkFields;

/** An invoice that waits with its file. */
export interface InvoiceEntry {
  name: string;
  /** What was typed; absent: the fleet describes it. */
  data?: SentInvoice | undefined;
}

/** A document that waits with its sides. */
export interface DocumentEntry extends SentDocument {
  /** Of its files, by side. */
  names: Readonly<Record<string, string>>;
}

/** What waits on a phone. */
export type Entry = Fields | InvoiceEntry | DocumentEntry;

/** The paths of what is different after something was sent. */
export const CHANGED = [TRIPS, TIMES, INVOICES, DOCUMENTS, "/api/settlements/pending", "/api/session"];

/** A name of this device that says nothing of its owner. */
const device = () => (/Android|iPhone|iPad|Mobile/.test(navigator.userAgent) ? "phone" : "computer");

const itemOf = ({ id, kind, version, at, deleted, entry }: Waiting<Entry>) => ({
  id,
  kind: kind as "trip" | "time",
  version,
  enteredAt: new Date(at).toISOString(),
  ...(deleted ? {} : kind === "trip" ? { trip: entry as TripFields } : { time: entry as WorkFields }),
});

/** What the server has in the place of a change. */
export type Theirs = Trip | Work;

export const isTrip = (entry: Fields): entry is TripFields => "occurredOn" in entry;
export const fieldsOf = (entry: Fields): Fields => (isTrip(entry) ? tripFieldsOf(entry) : workFieldsOf(entry));

/** An entry as the server keeps it: plates without blanks. */
function asKept(entry: Fields): Fields {
  const fields = fieldsOf(entry);
  return isTrip(fields) ? fields : { ...fields, plate: fields.plate.replace(/\s/g, "").toUpperCase() };
}

type Sent = Awaited<ReturnType<typeof sendBatch>>["answers"][number];

const sendBatch = (partner: string, changes: readonly Waiting<Entry>[]) =>
  answer(
    api.POST("/api/tracking/batch", {
      body: { partner, device: device(), sentAt: new Date().toISOString(), entries: changes.map(itemOf) },
    }),
  );

function answerOf(change: Waiting<Entry>, { result, code, fields, trip, time }: Sent): Answer {
  const theirs = trip ?? time;
  if (result === "done" || result === "same")
    return change.deleted ? { outcome: "deleted" } : { outcome: "saved", version: theirs?.version ?? 1 };
  if (result === "conflict" && theirs)
    return theirs.deleted && change.deleted ? { outcome: "deleted" } : { outcome: "conflict", theirs };
  if (change.deleted && code === "tracking.not_found") return { outcome: "deleted" };
  const [field] = fields ?? [];
  return {
    outcome: "refused",
    refusal: { code: code ?? "internal", params: field ? { field: field.name, why: field.code } : {} },
  };
}

/** Whether the server had it before: it came, and was taken away since. The file of another invoice is refused instead. */
const cameBefore = (reason: unknown, id: string) =>
  reason instanceof Problem && reason.code === "invoices.same_file" && reason.params.other === id;

const fileOf = (blob: Blob | undefined, name: string) => new File(blob ? [blob] : [], name, { type: blob?.type ?? "" });

// The id is the key too: an answer that was lost is found again by either.
async function whole({ id, kind, partner, entry }: Waiting<Entry>, files: Readonly<Record<string, Blob>>) {
  if (kind === "invoice") {
    const { name, data } = entry as InvoiceEntry;
    await upload({ file: fileOf(files.file, name), key: id, id, partner, data }).catch((reason: unknown) => {
      if (!cameBefore(reason, id)) throw reason;
    });
    return;
  }
  const { names, ...said } = entry as DocumentEntry;
  const front = fileOf(files.front, names.front ?? "front");
  const back = files.back && fileOf(files.back, names.back ?? "back");
  await uploadDocument({ ...said, driver: "", front, back, key: id, id, partner });
}

/** The calls with which all of it is sent. */
export const calls: Calls<Entry> = {
  batch: async (changes) => {
    const { answers } = await sendBatch(changes[0]?.partner ?? "", changes);
    return changes.map((change, n) => {
      const said = answers[n];
      return said ? answerOf(change, said) : { outcome: "refused", refusal: { code: "internal", params: {} } };
    });
  },
  photo: ({ kind, id }: Row, side, photo) => {
    const of = kind === "trip" ? kind : "time";
    return photo ? sendPhoto(of, id, side, photo) : removePhoto(of, id, side);
  },
  whole,
  own: (sent, theirs) => {
    const there = theirs as Theirs;
    return !there.deleted && sameFields(asKept(sent as Fields), asKept(there)) ? there.version : undefined;
  },
};
