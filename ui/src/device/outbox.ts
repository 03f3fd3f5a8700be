import type { FieldCode } from "../api/problem";
import { database, type Row } from "./database";
import { openBytes, seal, sealBytes, unseal } from "./seal";

/** Why something was refused, as the server said it. */
export interface Refusal {
  code: string;
  params: Record<string, string>;
  /** Of which photo; absent: of the entry. */
  side?: string;
  /** What is wrong with which fields. */
  fields?: readonly { name: string; code: FieldCode; params?: Record<string, string> }[];
}

/** A change that waits on this device, with what it says. */
export interface Waiting<Entry> extends Omit<Row, "body" | "answer"> {
  entry: Entry;
  refusal?: Refusal;
  /** What the server has instead, where somebody else changed it. */
  theirs?: unknown;
}

/** What a person did: saved an entry with its photos, or deleted it. */
export interface Change<Entry> {
  id: string;
  owner: string;
  partner: string;
  kind: Row["kind"];
  deleted?: boolean;
  /** Of the entry as it was seen. */
  version: number;
  entry: Entry;
  /** New photos by side; null takes one away. */
  photos?: Record<string, Blob | null>;
}

const photoKey = (id: string, side: string) => `${id}/${side}`;

/**
 * Keeps a change until the server has it. A second change of the same entry takes the place of the first, and keeps its place in the
 * order. What the server never had and what is deleted here is gone at once.
 */
export async function keep<Entry>(change: Change<Entry>): Promise<void> {
  const { id, owner, partner, kind, version, entry, photos = {}, deleted = false } = change;
  const body = await seal(owner, entry);
  const sealed = await Promise.all(
    Object.entries(photos).map(async ([side, photo]) => ({
      side,
      photo: photo && {
        key: photoKey(id, side),
        owner,
        type: photo.type,
        ...(await sealBytes(owner, await photo.arrayBuffer())),
      },
    })),
  );
  const db = await database();
  const write = db.transaction(["outbox", "photos"], "readwrite");
  const outbox = write.objectStore("outbox");
  const kept = write.objectStore("photos");
  const before = await outbox.get(id);
  if (deleted) for (const side of before?.photos ?? []) await kept.delete(photoKey(id, side));
  if (deleted && before?.version === 0 && !before.sent) {
    await outbox.delete(id);
    await write.done;
    return;
  }
  const had = new Set(before?.photos ?? []);
  const gone = new Set(before?.gone ?? []);
  const sizes = { ...before?.sizes };
  for (const { side, photo } of sealed) {
    if (photo) {
      await kept.put(photo);
      sizes[side] = photo.data.byteLength;
    } else await kept.delete(photoKey(id, side));
    had[photo ? "add" : "delete"](side);
    gone[photo ? "delete" : "add"](side);
  }
  await outbox.put({
    id,
    owner,
    partner: before?.partner ?? partner,
    kind,
    deleted,
    version: before && before.state !== "conflict" ? before.version : version,
    saved: false,
    revision: (before?.revision ?? 0) + 1,
    at: before?.at ?? Date.now(),
    state: "waiting",
    photos: deleted ? [] : [...had],
    sizes,
    gone: deleted ? [] : [...gone],
    body,
    ...(before?.sent && { sent: before.sent }),
  });
  await write.done;
}

/** Notes what is being sent: where its answer is lost, it is known again when it comes back as what the server has. */
export async function noteSent(sent: readonly Row[]): Promise<void> {
  const write = (await database()).transaction("outbox", "readwrite");
  for (const { id, body } of sent) {
    const row = await write.store.get(id);
    if (row) await write.store.put({ ...row, sent: body });
  }
  await write.done;
}

/** All rows of a person, the oldest first. What they say stays sealed. */
export async function rows(owner: string): Promise<Row[]> {
  const all = await (await database()).getAll("outbox");
  return all.filter((row) => row.owner === owner).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** How many bytes wait with rows. */
export const bytesOf = (some: readonly Pick<Row, "photos" | "sizes">[]) =>
  some.reduce((sum, { photos, sizes }) => photos.reduce((all, side) => all + (sizes?.[side] ?? 0), sum), 0);

/** How much waits on this device, by person. */
export async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { owner } of await (await database()).getAll("outbox")) found[owner] = (found[owner] ?? 0) + 1;
  return found;
}

/** What was last sent of a row. */
export const lastSent = async <Entry>({ owner, sent }: Row) => sent && (await unseal<Entry>(owner, sent));

/** What a row says. */
export async function read<Entry>({ body, answer, ...row }: Row): Promise<Waiting<Entry>> {
  const [entry, said] = await Promise.all([
    unseal<Entry>(row.owner, body),
    answer && unseal<{ refusal?: Refusal; theirs?: unknown }>(row.owner, answer),
  ]);
  return { ...row, entry, ...said };
}

/** A photo that waits. */
export async function photoOf(owner: string, id: string, side: string): Promise<Blob | undefined> {
  const found = await (await database()).get("photos", photoKey(id, side));
  return found?.owner === owner ? new Blob([await openBytes(owner, found)], { type: found.type }) : undefined;
}

/** What became of a change that was sent. */
type Outcome =
  | { done: "saved"; version: number }
  /** Nothing of it is left to send: it is deleted, or the server has all of it. */
  | { done: "deleted" }
  | { done: "photo"; side: string }
  | { done: "refused"; refusal: Refusal }
  | { done: "conflict"; theirs: unknown };

/**
 * Notes the answer to a change. Where the person went on meanwhile, their newer change stays and goes next, over the version that
 * the server has now.
 */
export async function note(sent: Row, outcome: Outcome): Promise<void> {
  const { id, owner } = sent;
  const answer =
    outcome.done === "refused" || outcome.done === "conflict"
      ? await seal(owner, outcome.done === "refused" ? { refusal: outcome.refusal } : { theirs: outcome.theirs })
      : undefined;
  const write = (await database()).transaction(["outbox", "photos"], "readwrite");
  const outbox = write.objectStore("outbox");
  const kept = write.objectStore("photos");
  const now = await outbox.get(id);
  if (now) {
    const current = now.revision === sent.revision;
    switch (outcome.done) {
      case "saved":
        now.version = outcome.version;
        if (current) now.saved = true;
        break;
      case "deleted":
        if (current) {
          for (const side of now.photos) await kept.delete(photoKey(id, side));
          await outbox.delete(id);
        }
        break;
      case "photo":
        if (current) {
          await kept.delete(photoKey(id, outcome.side));
          now.photos = now.photos.filter((side) => side !== outcome.side);
          now.gone = now.gone.filter((side) => side !== outcome.side);
        }
        break;
      default:
        if (current) {
          now.state = outcome.done;
          if (answer) now.answer = answer;
        }
    }
    const over = now.saved && now.state === "waiting" && now.photos.length === 0 && now.gone.length === 0;
    if (over) await outbox.delete(id);
    else if (outcome.done !== "deleted" || !current) await outbox.put(now);
  }
  await write.done;
}

/** Takes a change back: the server's entry stands. Also what was refused, when the person gives it up. */
export async function discard(id: string, unless: (row: Row) => boolean = () => false): Promise<void> {
  const write = (await database()).transaction(["outbox", "photos"], "readwrite");
  const row = await write.objectStore("outbox").get(id);
  if (!row || unless(row)) return;
  for (const side of row.photos) await write.objectStore("photos").delete(photoKey(id, side));
  await write.objectStore("outbox").delete(id);
  await write.done;
}

/** Takes back what was never sent. Of what was, the server may have it: that stays until it says so. */
export const withdraw = (id: string) => discard(id, ({ state, sent }) => state === "waiting" && sent !== undefined);

/** Sends a change that lost against another over what the server has now: the person saw both and chose theirs. */
export async function insist(id: string, version: number): Promise<void> {
  const write = (await database()).transaction("outbox", "readwrite");
  const row = await write.store.get(id);
  if (row) {
    delete row.answer;
    await write.store.put({ ...row, state: "waiting", version, saved: false, revision: row.revision + 1 });
  }
  await write.done;
}
