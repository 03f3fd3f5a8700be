import { answer, api } from "../../api/client";
import type { Row } from "../../device/database";
import type { Waiting } from "../../device/outbox";
import type { Answer, Calls } from "../../device/sending";
import { removePhoto, sendPhoto } from "../../tracking/calls";
import {
  sameFields,
  type Trip,
  type TripFields,
  tripFieldsOf,
  type Work,
  type WorkFields,
  workFieldsOf,
} from "../../tracking/entries";

/** What is written down here: a trip or working time. */
export type Fields = TripFields | WorkFields;

/** A name of this device that says nothing of its owner. */
const device = () => (/Android|iPhone|iPad|Mobile/.test(navigator.userAgent) ? "phone" : "computer");

const itemOf = ({ id, kind, version, at, deleted, entry }: Waiting<Fields>) => ({
  id,
  kind,
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

const sendBatch = (partner: string, changes: readonly Waiting<Fields>[]) =>
  answer(
    api.POST("/api/tracking/batch", {
      body: { partner, device: device(), sentAt: new Date().toISOString(), entries: changes.map(itemOf) },
    }),
  );

function answerOf(change: Waiting<Fields>, { result, code, fields, trip, time }: Sent): Answer {
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

/** The calls of the trackers. */
export const calls: Calls<Fields> = {
  batch: async (changes) => {
    const { answers } = await sendBatch(changes[0]?.partner ?? "", changes);
    return changes.map((change, n) => {
      const said = answers[n];
      return said ? answerOf(change, said) : { outcome: "refused", refusal: { code: "internal", params: {} } };
    });
  },
  photo: ({ kind, id }: Row, side, photo) => (photo ? sendPhoto(kind, id, side, photo) : removePhoto(kind, id, side)),
  own: (sent, theirs) => {
    const there = theirs as Theirs;
    return !there.deleted && sameFields(asKept(sent), asKept(there)) ? there.version : undefined;
  },
};
