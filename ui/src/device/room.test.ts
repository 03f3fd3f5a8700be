import { expect, it, vi } from "vitest";
import { room } from "./room";

const MB = 1024 * 1024;

const device = (free: number) =>
  vi.stubGlobal("navigator", {
    storage: { estimate: () => Promise.resolve({ quota: 100 * MB, usage: (100 - free) * MB }) },
  });

const photos = (mb: number) => [
  { photos: ["start", "end"], sizes: { start: mb * MB, end: 0, gone: 900 * MB } },
  { photos: [], sizes: {} },
];

it("says how little is left, before how much waits", async () => {
  device(49);
  expect(await room(photos(41))).toEqual({ of: "space", left: 49 });
  device(50);
  expect(await room(photos(41))).toEqual({ of: "line", waiting: 41 });
  expect(await room(photos(40))).toBeUndefined();
});

it("says nothing where the browser does not tell", async () => {
  vi.stubGlobal("navigator", {});
  expect(await room([])).toBeUndefined();
});
