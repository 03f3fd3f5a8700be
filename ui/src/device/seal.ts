import { database, type Sealed } from "./database";

const keys = new Map<string, Promise<CryptoKey>>();

/** The key of a person on this device, made when it is first needed. Two tabs end with the same one. */
function keyOf(owner: string): Promise<CryptoKey> {
  let key = keys.get(owner);
  if (!key) {
    key = findKey(owner);
    keys.set(owner, key);
    key.catch(() => keys.delete(owner));
  }
  return key;
}

async function findKey(owner: string): Promise<CryptoKey> {
  const db = await database();
  const there = await db.get("keys", owner);
  if (there) return there.key;
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  const write = db.transaction("keys", "readwrite");
  const meanwhile = await write.store.get(owner);
  if (!meanwhile) await write.store.put({ owner, key });
  await write.done;
  return meanwhile?.key ?? key;
}

/** Forgets keys that are deleted. */
export const forgetKeys = () => keys.clear();

/** Makes bytes unreadable outside of this browser. */
export async function sealBytes(owner: string, bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return { iv, data: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(owner), bytes) };
}

export async function openBytes(owner: string, { iv, data }: Sealed): Promise<ArrayBuffer> {
  return crypto.subtle.decrypt({ name: "AES-GCM", iv }, await keyOf(owner), data);
}

export const seal = (owner: string, value: unknown) =>
  sealBytes(owner, new TextEncoder().encode(JSON.stringify(value)));

export const unseal = async <Value>(owner: string, sealed: Sealed) =>
  JSON.parse(new TextDecoder().decode(await openBytes(owner, sealed))) as Value;
