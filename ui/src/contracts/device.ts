import { FORMS } from "../browser/storage";
import type { Kept, Shelf } from "./draft";

const STORE = "contracts";

const done = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((got, failed) => {
    request.onsuccess = () => got(request.result);
    request.onerror = () => failed(request.error ?? new Error("the device keeps nothing"));
  });

/** The device's own store, opened for one action: whoever signs out deletes it, and no open one is in the way. */
async function within<Result>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>) {
  const opening = indexedDB.open(FORMS, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
  const store = await done(opening);
  try {
    return await done(act(store.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    store.close();
  }
}

/** What is filled in on this device. Where the browser keeps nothing, the server alone keeps it. */
export const device: Shelf = {
  get: (key) =>
    within<Kept | undefined>("readonly", (store) => store.get(key) as IDBRequest<Kept | undefined>).catch(
      () => undefined,
    ),
  put: (one) => within("readwrite", (store) => store.put(one)).catch(() => undefined),
  remove: (key) => within("readwrite", (store) => store.delete(key)).catch(() => undefined),
};
