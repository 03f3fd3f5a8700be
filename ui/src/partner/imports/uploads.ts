import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { components } from "../../api/schema";
import { Problem } from "../../api/problem";
import { transfer } from "../../api/transfer";
import { recall, remember } from "../../browser/storage";
import { formOf, type Order } from "./order";

type Made = components["schemas"]["ImportMade"];

/** A file on its way to the server. */
export interface Upload {
  /** Of the idempotency key: however often it is tried, it becomes one import. */
  key: string;
  file: File;
  order: Order;
  done: number;
  state: "waiting" | "sending" | "failed";
  problem?: Problem;
}

interface UploadState {
  uploads: readonly Upload[];
  /** The files of this window where they stand, until they are put away: by key while they are sent, then by the id of the import. */
  places: readonly string[];
}

const KEPT = "imports.kept";
const AT_ONCE = 2;

// It outlives the screen: whoever looks at another one meanwhile loses no upload.
let current: UploadState = { uploads: [], places: readKept() };
const listeners = new Set<() => void>();
const stops = new Map<string, AbortController>();

function readKept(): readonly string[] {
  const text = recall("sessionStorage", KEPT);
  return text ? (JSON.parse(text) as string[]) : [];
}

function set(part: Partial<UploadState>) {
  current = { ...current, ...part };
  // An upload ends with the window, an import does not.
  const lasting = current.places.filter((place) => !current.uploads.some(({ key }) => key === place));
  if (part.places) remember("sessionStorage", KEPT, JSON.stringify(lasting));
  for (const listener of listeners) listener();
}

const change = (key: string, part: Partial<Upload>) =>
  set({ uploads: current.uploads.map((one) => (one.key === key ? { ...one, ...part } : one)) });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is on its way, and which imports this window keeps on screen. */
export const useUploads = (): UploadState => useSyncExternalStore(subscribe, () => current);

/** Imports in their places among the files of this window: by age, since ids grow with time. No file that has a place moves. */
export function placed(ids: readonly string[]): string[] {
  const { uploads, places } = current;
  const sent = new Set(uploads.map(({ key }) => key));
  const all = [...places];
  for (const id of [...ids].filter((one) => !places.includes(one)).sort()) {
    const before = all.findIndex((place) => !sent.has(place) && place > id);
    all.splice(before < 0 ? all.length : before, 0, id);
  }
  return all;
}

/** Keeps an import on screen whatever becomes of it. */
export function keep(id: string) {
  if (!current.places.includes(id)) set({ places: placed([id]) });
}

/** Takes an import off the screen. It stays in the log. */
export const putAway = (id: string) => set({ places: current.places.filter((other) => other !== id) });

/** Takes a file off its way; what has arrived of it is nothing. */
export function stopUpload(key: string) {
  stops.get(key)?.abort();
  set({
    uploads: current.uploads.filter((one) => one.key !== key),
    places: current.places.filter((place) => place !== key),
  });
}

/** Uploads files, a few at a time, and tells how to do it again. */
export function useUpload() {
  const cache = useQueryClient();
  return {
    add: (files: readonly File[], order: Order) => {
      const added = files.map((file): Upload => ({ key: crypto.randomUUID(), file, order, done: 0, state: "waiting" }));
      set({
        uploads: [...current.uploads, ...added],
        places: [...current.places, ...added.map(({ key }) => key)],
      });
      pump(cache);
    },
    again: (key: string) => {
      change(key, { state: "waiting", done: 0 });
      pump(cache);
    },
  };
}

function pump(cache: QueryClient) {
  const sending = current.uploads.filter(({ state }) => state === "sending").length;
  for (const one of current.uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(0, AT_ONCE - sending)))
    void send(one, cache).finally(() => pump(cache));
}

async function send({ key, file, order }: Upload, cache: QueryClient) {
  const stop = new AbortController();
  stops.set(key, stop);
  change(key, { state: "sending" });
  try {
    const response = await transfer({
      method: "POST",
      path: "/api/imports",
      body: formOf(order, file),
      key,
      signal: stop.signal,
      onProgress: (done) => change(key, { done }),
    });
    const { id } = (await response.json()) as Made;
    set({
      uploads: current.uploads.filter((one) => one.key !== key),
      // The same file may have been sent before, under the same key.
      places: [...new Set(current.places.map((place) => (place === key ? id : place)))],
    });
    await cache.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("/api/imports") });
  } catch (reason) {
    if (reason instanceof Problem) change(key, { state: "failed", problem: reason });
    else if (!stop.signal.aborted) throw reason;
  } finally {
    stops.delete(key);
  }
}
