import { Blob as KeptBlob } from "node:buffer";
import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it } from "vitest";
import { Problem } from "../api/problem";
import { carryOver } from "./carry";
import { deleteDatabase } from "./database";
import { forget, keepList, keepStart, keptList, keptStart } from "./kept";
import { type Change, discard, insist, keep, photoOf, read, rows, withdraw } from "./outbox";
import { forgetKeys } from "./seal";
import { type Answer, type Calls, sendAll } from "./sending";

interface Entry {
  text: string;
}

const OLEH = "oleh";

const change = (id: string, text: string, more: Partial<Change<Entry>> = {}): Change<Entry> => ({
  id,
  owner: OLEH,
  partner: "fleet",
  kind: "trip",
  version: 0,
  entry: { text },
  ...more,
});

/** A server with versions, as the real one has: the same again is the same, another version is refused with what is there. */
class Server {
  readonly entries = new Map<string, { text: string; version: number; deleted: boolean }>();
  readonly photos = new Map<string, number>();
  writes = 0;
  /** What happens to the next calls, in their order. */
  faults: ("cut before" | "cut after" | "refuse" | "not linked")[] = [];
  /** While an answer is on its way. */
  meanwhile: (() => Promise<unknown>) | undefined;

  private async around<Result>(work: () => Result): Promise<Result> {
    const fault = this.faults.shift();
    if (fault === "cut before") throw new Problem("network.unreachable");
    if (fault === "not linked") throw new Problem("tracking.not_linked", { status: 409 });
    if (fault === "refuse") throw new Problem("tracking.invalid", { status: 422 });
    const result = work();
    await this.meanwhile?.();
    this.meanwhile = undefined;
    if (fault === "cut after") throw new Problem("network.unreachable");
    return result;
  }

  edit(id: string, text: string) {
    const there = this.entries.get(id);
    this.entries.set(id, { text, version: (there?.version ?? 0) + 1, deleted: false });
  }

  readonly calls: Calls<Entry> = {
    batch: (changes) =>
      this.around(() =>
        changes.map(({ id, version, deleted, entry }): Answer => {
          const there = this.entries.get(id);
          if (entry.text === "wrong") return { outcome: "refused", refusal: { code: "tracking.invalid", params: {} } };
          if (deleted && (!there || there.deleted)) return { outcome: "deleted" };
          if (there && there.version !== version && (deleted || there.text !== entry.text))
            return { outcome: "conflict", theirs: { ...there, id } };
          if (there && !deleted && there.text === entry.text) return { outcome: "saved", version: there.version };
          this.writes++;
          const next = { text: entry.text, version: (there?.version ?? 0) + 1, deleted };
          this.entries.set(id, next);
          return deleted ? { outcome: "deleted" } : { outcome: "saved", version: next.version };
        }),
      ),
    photo: ({ id }, side, photo) =>
      this.around(() => (photo ? this.photos.set(`${id}/${side}`, photo.size) : this.photos.delete(`${id}/${side}`))),
    whole: ({ id, entry }, files) =>
      this.around(() => {
        if (entry.text === "wrong") throw new Problem("invoices.file_broken", { status: 422 });
        if (!this.entries.has(id)) {
          this.writes++;
          this.edit(id, entry.text);
        }
        for (const [side, file] of Object.entries(files)) this.photos.set(`${id}/${side}`, file.size);
      }),
    own: (sent, theirs) => {
      const there = theirs as { text: string; version: number };
      return there.text === sent.text ? there.version : undefined;
    },
  };
}

const send = (server: Server) => sendAll(OLEH, server.calls, () => undefined);
const left = async () => Promise.all((await rows(OLEH)).map((row) => read<Entry>(row)));

beforeEach(async () => {
  await deleteDatabase();
  forgetKeys();
});

describe("what waits on a device", () => {
  it("is sent in the order in which it was written, entries before photos", async () => {
    const server = new Server();
    for (let n = 0; n < 120; n++) await keep(change(`entry ${n}`, `trip ${n}`));
    await keep(change("entry 0", "trip 0 mended", { photos: { payment: new Blob(["12345"]) } }));
    expect(await send(server)).toEqual({ sent: 4, cut: false });
    expect(await left()).toEqual([]);
    expect(server.entries.size).toBe(120);
    expect(server.writes).toBe(120);
    expect(server.entries.get("entry 0")?.text).toBe("trip 0 mended");
    expect(server.photos.get("entry 0/payment")).toBe(5);
  });

  it("stays where the line is cut before the server heard it", async () => {
    const server = new Server();
    await keep(change("a", "one"));
    server.faults = ["cut before"];
    expect(await send(server)).toEqual({ sent: 0, cut: true, why: "network.unreachable" });
    expect((await left()).map(({ id }) => id)).toEqual(["a"]);
    await send(server);
    expect(server.writes).toBe(1);
  });

  it("is there once where the answer was lost", async () => {
    const server = new Server();
    await keep(change("a", "one"));
    server.faults = ["cut after"];
    await send(server);
    await send(server);
    expect(server.writes).toBe(1);
    expect(await left()).toEqual([]);
  });

  it("is no conflict with itself where the answer was lost and the person went on", async () => {
    const server = new Server();
    await keep(change("work", "begun"));
    server.faults = ["cut after"];
    await send(server);
    await keep(change("work", "ended"));
    await send(server);
    expect(server.entries.get("work")).toEqual({ text: "ended", version: 2, deleted: false });
    expect(await left()).toEqual([]);
  });

  it("keeps what was changed while it was on its way", async () => {
    const server = new Server();
    await keep(change("a", "one"));
    server.meanwhile = () => keep(change("a", "two"));
    await send(server);
    expect(server.entries.get("a")).toEqual({ text: "two", version: 2, deleted: false });
    expect(await left()).toEqual([]);
  });

  it("is gone at once where the server never had it", async () => {
    const server = new Server();
    await keep(change("a", "one", { photos: { payment: new Blob(["x"]) } }));
    await keep(change("a", "one", { deleted: true }));
    expect(await left()).toEqual([]);
    expect(await photoOf(OLEH, "a", "payment")).toBeUndefined();
    await send(server);
    expect(server.writes).toBe(0);
  });

  it("is deleted at the server where its first answer was lost", async () => {
    const server = new Server();
    await keep(change("a", "one"));
    server.faults = ["cut after"];
    await send(server);
    await keep(change("a", "one", { deleted: true }));
    await send(server);
    expect(server.entries.get("a")?.deleted).toBe(true);
    expect(await left()).toEqual([]);
  });

  it("stays with its reason where it is refused, and holds nothing up", async () => {
    const server = new Server();
    await keep(change("a", "wrong"));
    await keep(change("b", "right"));
    await send(server);
    expect((await left()).map(({ id, state, refusal }) => [id, state, refusal?.code])).toEqual([
      ["a", "refused", "tracking.invalid"],
    ]);
    await keep(change("a", "put right"));
    await send(server);
    expect(server.entries.get("a")?.text).toBe("put right");
    expect(await left()).toEqual([]);
  });

  it("goes one by one where all of it is refused at once", async () => {
    const server = new Server();
    await keep(change("a", "one"));
    await keep(change("b", "two"));
    server.faults = ["refuse", "refuse"];
    await send(server);
    expect((await left()).map(({ id, state }) => [id, state])).toEqual([["a", "refused"]]);
    expect(server.entries.get("b")?.text).toBe("two");
  });

  it("waits for the person where somebody else changed it, and goes over it or not as they choose", async () => {
    const server = new Server();
    server.edit("a", "theirs");
    server.edit("a", "theirs again");
    await keep(change("a", "mine", { version: 1 }));
    await send(server);
    const [conflict] = await left();
    expect([conflict?.state, conflict?.theirs]).toEqual([
      "conflict",
      { id: "a", text: "theirs again", version: 2, deleted: false },
    ]);
    expect(server.entries.get("a")?.text).toBe("theirs again");
    await insist("a", 2);
    await send(server);
    expect(server.entries.get("a")?.text).toBe("mine");
    expect(await left()).toEqual([]);
  });

  it("leaves the server's entry where the person gives theirs up", async () => {
    const server = new Server();
    server.edit("a", "theirs");
    await keep(change("a", "mine", { photos: { payment: new Blob(["x"]) } }));
    await send(server);
    await discard("a");
    expect(await left()).toEqual([]);
    expect(server.entries.get("a")?.text).toBe("theirs");
    expect(await photoOf(OLEH, "a", "payment")).toBeUndefined();
  });

  it("takes a photo away again", async () => {
    const server = new Server();
    await keep(change("a", "one", { photos: { payment: new Blob(["x"]) } }));
    await send(server);
    await keep(change("a", "one", { version: 1, photos: { payment: null } }));
    await send(server);
    expect(server.photos.size).toBe(0);
    expect(await left()).toEqual([]);
  });
});

describe("an upload that waits on a device", () => {
  const invoice = (id: string, text: string) =>
    change(id, text, { kind: "invoice", photos: { file: new Blob(["12345"], { type: "image/jpeg" }) } });

  it("goes with its file, after entries, and nothing of it stays", async () => {
    const server = new Server();
    await keep(invoice("i", "fuel"));
    await keep(change("a", "one"));
    expect(await send(server)).toEqual({ sent: 2, cut: false });
    expect([...server.entries.keys()]).toEqual(["a", "i"]);
    expect(server.photos.get("i/file")).toBe(5);
    expect(await left()).toEqual([]);
    expect(await photoOf(OLEH, "i", "file")).toBeUndefined();
  });

  it("is there once where the answer was lost, and may be taken back only before it was ever sent", async () => {
    const server = new Server();
    await keep(invoice("i", "fuel"));
    await keep(invoice("never", "wash"));
    await withdraw("never");
    server.faults = ["cut after"];
    expect(await send(server)).toEqual({ sent: 0, cut: true, why: "network.unreachable" });
    await withdraw("i");
    expect((await left()).map(({ id }) => id)).toEqual(["i"]);
    await send(server);
    expect(server.writes).toBe(1);
    expect(await left()).toEqual([]);
  });

  it("stays with its file and the reason where it is refused, and goes when it is put right", async () => {
    const server = new Server();
    await keep(invoice("i", "wrong"));
    await keep(invoice("j", "right"));
    await send(server);
    expect((await left()).map(({ id, refusal }) => [id, refusal?.code])).toEqual([["i", "invoices.file_broken"]]);
    expect((await photoOf(OLEH, "i", "file"))?.type).toBe("image/jpeg");
    await keep(invoice("i", "put right"));
    await send(server);
    expect(server.entries.get("i")?.text).toBe("put right");
    expect(await left()).toEqual([]);
  });

  it("waits where no fleet has accepted the driver yet, and after that is sent once by itself", async () => {
    const server = new Server();
    await keep(change("a", "one"));
    await keep(invoice("i", "fuel"));
    server.faults = ["not linked"];
    expect(await send(server)).toEqual({ sent: 0, cut: true, why: "tracking.not_linked" });
    expect((await left()).map(({ state }) => state)).toEqual(["waiting", "waiting"]);
    await send(server);
    await send(server);
    expect(server.writes).toBe(2);
    expect(await left()).toEqual([]);
  });
});

describe("what an older version has waiting", () => {
  const older = (...some: object[]) =>
    new Promise<void>((done, failed) => {
      const opening = indexedDB.open("saldo.queue", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("waiting", { keyPath: "key" });
      opening.onerror = () => failed(new Error("not opened"));
      opening.onsuccess = () => {
        const write = opening.result.transaction("waiting", "readwrite");
        for (const one of some) write.objectStore("waiting").put(one);
        write.oncomplete = () => {
          opening.result.close();
          done();
        };
      };
    });
  const one = (key: string, at: string, more: object = {}) => ({
    key,
    owner: OLEH,
    file: new KeptBlob(["12345"], { type: "image/jpeg" }), // one that can be cloned
    name: `${key}.jpg`,
    data: undefined,
    at,
    ...more,
  });

  it("is carried over sealed, with its owner, order, reason and file, and only once", async () => {
    await older(
      one("b", "2026-11-18T10:00:00Z", { refused: "invoices.file_broken" }),
      one("a", "2026-11-18T09:00:00Z"),
      one("c", "2026-11-18T11:00:00Z", { owner: "anna" }),
    );
    await Promise.all([carryOver(), carryOver()]);
    await carryOver();
    const found = await Promise.all((await rows(OLEH)).map((row) => read<{ name: string }>(row)));
    expect(found.map(({ id, kind, state, entry, refusal }) => [id, kind, state, entry.name, refusal?.code])).toEqual([
      ["a", "invoice", "waiting", "a.jpg", undefined],
      ["b", "invoice", "refused", "b.jpg", "invoices.file_broken"],
    ]);
    expect((await photoOf(OLEH, "a", "file"))?.size).toBe(5);
    expect(await rows("anna")).toHaveLength(1);
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain("saldo.queue");
  });

  it("is not written over where moving it was cut short", async () => {
    await older(one("a", "2026-11-18T09:00:00Z"));
    await carryOver();
    await keep({ ...change("a", "put right"), kind: "invoice" });
    await older(one("a", "2026-11-18T09:00:00Z"));
    await carryOver();
    expect((await left()).map(({ entry }) => entry.text)).toEqual(["put right"]);
  });
});

describe("a device that several people use", () => {
  it("shows and sends nobody else's", async () => {
    const server = new Server();
    await keep(change("a", "one", { owner: "anna" }));
    await send(server);
    expect(server.writes).toBe(0);
    expect(await rows("anna")).toHaveLength(1);
  });

  it("keeps nothing that can be read without its key", async () => {
    await keep(change("a", "ul. Długa 14"));
    const [row] = await rows(OLEH);
    expect(new TextDecoder().decode(row?.body.data)).not.toContain("Długa");
  });

  it("forgets who leaves, and what they have waiting only if they want that", async () => {
    await keep(change("a", "mine"));
    await keep(change("b", "hers", { owner: "anna" }));
    await keepStart(OLEH, { name: "Oleh" });
    await keepList(OLEH, "trips", ["one"]);
    await forget(OLEH, true);
    expect(await keptStart()).toBeUndefined();
    expect(await keptList(OLEH, "trips")).toBeUndefined();
    expect((await left()).map(({ entry }) => entry.text)).toEqual(["mine"]);
    await forget(OLEH, false);
    expect(await left()).toEqual([]);
    expect(await rows("anna")).toHaveLength(1);
  });
});

// Two devices of one person, whose lines come and go: nothing is lost without a question, nothing is there twice. One device is the
// outbox, the other changes the server.
it("loses and doubles nothing in 500 random steps", async () => {
  let seed = 20261118;
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  const server = new Server();
  /** The last text that each device wrote of an entry. */
  const mine = new Map<string, string>();
  const theirs = new Map<string, string>();
  for (let step = 0; step < 500; step++) {
    const id = `entry ${random(40)}`;
    const seen = server.entries.get(id);
    switch (random(6)) {
      case 0:
      case 1: {
        const text = `mine ${step}`;
        await keep(change(id, text, { version: seen?.version ?? 0 }));
        mine.set(id, text);
        break;
      }
      case 2:
        if (seen && !seen.deleted) {
          server.edit(id, `theirs ${step}`);
          theirs.set(id, `theirs ${step}`);
        }
        break;
      case 3:
        server.faults = [random(2) ? "cut after" : "cut before"];
        await send(server);
        break;
      case 4:
        await send(server);
        break;
      default:
        for (const { id: one, state, theirs: there } of await left())
          if (state === "conflict" && random(2)) await insist(one, (there as { version: number }).version);
    }
    server.faults = [];
  }
  for (;;) {
    await send(server);
    const conflicts = (await left()).filter(({ state }) => state === "conflict");
    if (conflicts.length === 0) break;
    for (const { id, theirs: there } of conflicts) await insist(id, (there as { version: number }).version);
  }
  expect(await left()).toEqual([]);
  for (const [id, text] of mine) expect([text, theirs.get(id)], id).toContain(server.entries.get(id)?.text);
  expect(server.entries.size).toBe(mine.size);
});
