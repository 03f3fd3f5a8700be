import { remember, STARTS, WAITING } from "../browser/storage";
import { database, deleteDatabase } from "./database";
import { counts } from "./outbox";
import { forgetKeys, seal, unseal } from "./seal";

/** Keeps what a start without a line needs to know of who is here. */
export async function keepStart(owner: string, start: unknown): Promise<void> {
  const body = await seal(owner, start);
  await (await database()).put("start", { key: "last", owner, body });
  remember("localStorage", STARTS, "1");
}

/** Who was here last. Undefined where nobody was, or what was kept cannot be read. */
export async function keptStart<Start>(): Promise<Start | undefined> {
  try {
    const found = await (await database()).get("start", "last");
    return found && (await unseal<Start>(found.owner, found.body));
  } catch {
    return undefined;
  }
}

/** Keeps a list as the server had it. */
export async function keepList(owner: string, name: string, list: unknown): Promise<void> {
  const body = await seal(owner, list);
  await (await database()).put("lists", { key: `${owner}/${name}`, owner, body });
}

/** A list as the server had it when it was last asked. */
export async function keptList<List>(owner: string, name: string): Promise<List | undefined> {
  const found = await (await database()).get("lists", `${owner}/${name}`);
  return found && (await unseal<List>(owner, found.body));
}

/** Counts what waits, for screens that load nothing of it. */
export async function countWaiting(): Promise<void> {
  const found = await counts();
  remember("localStorage", WAITING, Object.keys(found).length > 0 ? JSON.stringify(found) : null);
}

/**
 * Forgets a person who leaves this device: what they saw, and who they are. What they have written down and not sent stays with
 * its key where they want that, until they come back; nobody else can read it.
 */
export async function forget(owner: string, keepWaiting: boolean): Promise<void> {
  remember("localStorage", STARTS, null);
  const db = await database();
  const write = db.transaction(["outbox", "photos", "lists", "start", "keys"], "readwrite");
  const outbox = write.objectStore("outbox");
  let waits = 0;
  for (const row of await outbox.getAll())
    if (row.owner === owner) {
      if (keepWaiting) waits++;
      else await outbox.delete(row.id);
    }
  const photos = write.objectStore("photos");
  if (waits === 0) for (const photo of await photos.getAll()) if (photo.owner === owner) await photos.delete(photo.key);
  const lists = write.objectStore("lists");
  for (const list of await lists.getAll()) if (list.owner === owner) await lists.delete(list.key);
  await write.objectStore("start").clear();
  if (waits === 0) await write.objectStore("keys").delete(owner);
  const left = await outbox.count();
  await write.done;
  forgetKeys();
  if (left === 0) await deleteDatabase();
  await countWaitingOr(left);
}

async function countWaitingOr(left: number) {
  if (left === 0) remember("localStorage", WAITING, null);
  else await countWaiting();
}
