import { QUEUE } from "../../browser/storage";
import type { Shelf, Waiting } from "./queue";

const STORE = "waiting";

const done = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((got, failed) => {
    request.onsuccess = () => got(request.result);
    request.onerror = () => failed(request.error ?? new Error("the device keeps nothing"));
  });

/** The device's own store, opened for one action: whoever signs out deletes it, and no open one is in the way. */
async function within<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>) {
  const opening = indexedDB.open(QUEUE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
  const store = await done(opening);
  try {
    return await done(act(store.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    store.close();
  }
}

/** What waits on this device. Where the browser keeps nothing, nothing waits, and putting fails. */
export const device: Shelf = {
  all: () => within<Waiting[]>("readonly", (store) => store.getAll() as IDBRequest<Waiting[]>).catch(() => []),
  put: (one) => within("readwrite", (store) => store.put(one)),
  remove: (key) => within("readwrite", (store) => store.delete(key)),
};
