import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from "idb";
import { TRACKING } from "../browser/storage";

/** Something that only this browser can read: a copied profile folder or backup shows nothing of it. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

/** What waits: an entry of a tracker, whose photos follow it, or an upload, whose files go with it. */
export type Kind = "trip" | "time" | "invoice" | "document";

/** A change that waits on this device, without what it says. */
export interface Row {
  /** Of the entry, made on this device. */
  id: string;
  /** Whose it is: nobody else on this device sends it or sees it. */
  owner: string;
  /** The fleet that it was written for. */
  partner: string;
  kind: Kind;
  /** Whether the entry is to be deleted. */
  deleted: boolean;
  /** Of the entry as the person saw it; 0: it is new. */
  version: number;
  /** Whether the server has the entry, and only photos are missing. */
  saved: boolean;
  /** Counts what was done to it here, so that an answer to an older change does not end a newer one. */
  revision: number;
  /** When it was first written down: the order in which changes are sent. */
  at: number;
  state: "waiting" | "refused" | "conflict";
  /** Photos or files that wait with it, by side. */
  photos: string[];
  /** How large they are, in bytes. */
  sizes?: Record<string, number>;
  /** Photos that are to be taken away. */
  gone: string[];
  /** The entry as it was written here. */
  body: Sealed;
  /** What was last sent of it, whether an answer came or not. */
  sent?: Sealed;
  /** Why it was refused, or what the server has instead. */
  answer?: Sealed;
}

/** A photo that waits with its entry. */
interface WaitingPhoto extends Sealed {
  /** Entry and side. */
  key: string;
  owner: string;
  type: string;
}

interface Stores extends DBSchema {
  outbox: { key: string; value: Row };
  photos: { key: string; value: WaitingPhoto };
  /** What the server had when it was last asked, by owner and name. */
  lists: { key: string; value: { key: string; owner: string; body: Sealed } };
  /** One key for each person. It cannot be taken out of the browser. */
  keys: { key: string; value: { owner: string; key: CryptoKey } };
  /** Who was here last, for a start without a line. */
  start: { key: string; value: { key: "last"; owner: string; body: Sealed } };
}

let opened: Promise<IDBPDatabase<Stores>> | undefined;

/** The database of this device, opened once. It fails where the browser keeps nothing. */
export function database(): Promise<IDBPDatabase<Stores>> {
  opened ??= openDB<Stores>(TRACKING, 1, {
    upgrade(db) {
      db.createObjectStore("outbox", { keyPath: "id" });
      db.createObjectStore("photos", { keyPath: "key" });
      db.createObjectStore("lists", { keyPath: "key" });
      db.createObjectStore("keys", { keyPath: "owner" });
      db.createObjectStore("start", { keyPath: "key" });
    },
    // another tab deletes it
    blocking: () => void forgetConnection(),
    terminated: () => {
      opened = undefined;
    },
  }).catch((reason: unknown) => {
    opened = undefined;
    throw reason;
  });
  return opened;
}

async function forgetConnection() {
  const before = opened;
  opened = undefined;
  (await before?.catch(() => undefined))?.close();
}

/** Deletes all of it. */
export async function deleteDatabase() {
  await forgetConnection();
  await deleteDB(TRACKING);
}
