import { expect, it } from "vitest";
import { Problem } from "../../api/problem";
import { sendWaiting, type Shelf, type Waiting } from "./queue";

const one = (key: string, at: string, owner = "oleh"): Waiting => ({
  key,
  owner,
  at,
  file: new Blob(["x"]),
  name: `${key}.jpg`,
  data: undefined,
});

/** What is kept on the device, in the order in which it was put there. */
function shelfOf(...some: Waiting[]): Shelf & { keys: () => string[]; of: (key: string) => Waiting | undefined } {
  const kept = new Map(some.map((waiting) => [waiting.key, waiting]));
  return {
    all: () => Promise.resolve([...kept.values()]),
    put: (waiting) => Promise.resolve(kept.set(waiting.key, waiting)),
    remove: (key) => Promise.resolve(kept.delete(key)),
    keys: () => [...kept.keys()],
    of: (key) => kept.get(key),
  };
}

it("sends the oldest first and keeps nothing of what arrived", async () => {
  const shelf = shelfOf(one("b", "2026-11-18T10:00:00Z"), one("a", "2026-11-18T09:00:00Z"));
  const sent: string[] = [];
  const send = ({ key }: Waiting) => Promise.resolve(sent.push(key));
  expect(await sendWaiting(shelf, "oleh", send)).toEqual({ sent: 2, refused: 0, cut: false });
  expect(sent).toEqual(["a", "b"]);
  expect(shelf.keys()).toEqual([]);
});

it("waits on where the line is cut, and repeats under the same key", async () => {
  const shelf = shelfOf(one("a", "1"), one("b", "2"));
  const tried: string[] = [];
  let online = false;
  const send = ({ key }: Waiting) => {
    tried.push(key);
    return online ? Promise.resolve() : Promise.reject(new Problem("network.unreachable"));
  };
  expect(await sendWaiting(shelf, "oleh", send)).toMatchObject({ sent: 0, cut: true });
  expect(shelf.keys()).toEqual(["a", "b"]);
  online = true;
  await sendWaiting(shelf, "oleh", send);
  expect(tried).toEqual(["a", "a", "b"]);
  expect(shelf.keys()).toEqual([]);
});

it("takes a file that is there already for sent, and what is refused holds nothing up", async () => {
  const shelf = shelfOf(one("there", "1"), one("wrong", "2"), one("good", "3"));
  const answers: Record<string, Problem> = {
    there: new Problem("invoices.same_file", { status: 409 }),
    wrong: new Problem("invoices.file_broken", { status: 422 }),
  };
  const send = ({ key }: Waiting) => {
    const problem = answers[key];
    return problem ? Promise.reject(problem) : Promise.resolve();
  };
  expect(await sendWaiting(shelf, "oleh", send)).toEqual({ sent: 2, refused: 1, cut: false });
  expect(shelf.of("wrong")?.refused).toBe("invoices.file_broken");
  // it is not tried again by itself
  expect(await sendWaiting(shelf, "oleh", send)).toEqual({ sent: 0, refused: 0, cut: false });
});

it("sends nothing of another person, and nothing after the session ended", async () => {
  const shelf = shelfOf(one("a", "1", "marek"), one("b", "2"));
  const ended = () => Promise.reject(new Problem("identity.token_refused", { status: 401 }));
  expect(await sendWaiting(shelf, "oleh", ended)).toEqual({ sent: 0, refused: 0, cut: true });
  expect(shelf.of("b")?.refused).toBeUndefined();
  await sendWaiting(shelf, "oleh", () => Promise.resolve());
  expect(shelf.keys()).toEqual(["a"]);
});
