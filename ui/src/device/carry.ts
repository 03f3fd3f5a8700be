import { QUEUE, QUEUED, recall, remember } from "../browser/storage";
import { database, type Row } from "./database";
import { seal, sealBytes } from "./seal";

/** An invoice as versions until November 2026 kept it on the device, readable for anybody who has the device. */
interface Queued {
  key: string;
  owner: string;
  file: Blob;
  name: string;
  data?: unknown;
  at: string;
  refused?: string;
}

const done = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((got, failed) => {
    request.onsuccess = () => got(request.result);
    request.onerror = () => failed(request.error ?? new Error("the device keeps nothing"));
  });

const isThere = async () =>
  recall("localStorage", QUEUED) !== null ||
  ("databases" in indexedDB && (await indexedDB.databases()).some(({ name }) => name === QUEUE));

/**
 * Moves what an older version has waiting into the outbox. One is taken away there after it is here; should that be cut short, it is
 * moved once more, and the server knows it again by its id.
 */
export async function carryOver(): Promise<void> {
  if (!(await isThere())) return;
  const opening = indexedDB.open(QUEUE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("waiting", { keyPath: "key" });
  const old = await done(opening);
  try {
    const store = () => old.transaction("waiting", "readwrite").objectStore("waiting");
    for (const one of await done(store().getAll() as IDBRequest<Queued[]>)) {
      await carry(one);
      await done(store().delete(one.key));
    }
  } finally {
    old.close();
  }
  remember("localStorage", QUEUED, null);
  indexedDB.deleteDatabase(QUEUE);
}

async function carry({ key, owner, file, name, data, at, refused }: Queued) {
  const row: Row = {
    id: key,
    owner,
    partner: "",
    kind: "invoice",
    deleted: false,
    version: 0,
    saved: false,
    revision: 1,
    at: Date.parse(at) || Date.now(),
    state: refused ? "refused" : "waiting",
    photos: ["file"],
    sizes: { file: file.size },
    gone: [],
    body: await seal(owner, { name, data }),
    ...(refused && { answer: await seal(owner, { refusal: { code: refused, params: {} } }) }),
  };
  const bytes = await sealBytes(owner, await file.arrayBuffer());
  const write = (await database()).transaction(["outbox", "photos"], "readwrite");
  if (!(await write.objectStore("outbox").get(key))) {
    await write.objectStore("photos").put({ key: `${key}/file`, owner, type: file.type, ...bytes });
    await write.objectStore("outbox").put(row);
  }
  await write.done;
}
