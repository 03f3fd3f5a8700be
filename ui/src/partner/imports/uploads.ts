import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { components } from "../../api/schema";
import { answer, api } from "../../api/client";
import { Problem } from "../../api/problem";
import { transfer } from "../../api/transfer";
import { recall, remember } from "../../browser/storage";
import { formOf, type Order } from "./order";
import { type Import, uploadedFile } from "./queries";

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
  /** The import that this one takes the place of; missing: none. */
  replaces?: string;
}

interface UploadState {
  uploads: readonly Upload[];
  /** Imports of this window that stay on screen until they are put away, newest first. */
  kept: readonly string[];
}

const KEPT = "imports.kept";
const AT_ONCE = 2;

// It outlives the screen: whoever looks at another one meanwhile loses no upload.
let current: UploadState = { uploads: [], kept: readKept() };
const listeners = new Set<() => void>();
const stops = new Map<string, AbortController>();

function readKept(): readonly string[] {
  const text = recall("sessionStorage", KEPT);
  return text ? (JSON.parse(text) as string[]) : [];
}

function set(part: Partial<UploadState>) {
  current = { ...current, ...part };
  if (part.kept) remember("sessionStorage", KEPT, JSON.stringify(part.kept));
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

/** Keeps an import on screen whatever becomes of it. */
export function keep(id: string) {
  if (!current.kept.includes(id)) set({ kept: [id, ...current.kept] });
}

/** Takes an import off the screen. It stays in the log. */
export const putAway = (id: string) => set({ kept: current.kept.filter((other) => other !== id) });

/** Takes a file off its way; what has arrived of it is nothing. */
export function stopUpload(key: string) {
  stops.get(key)?.abort();
  set({ uploads: current.uploads.filter((one) => one.key !== key) });
}

/** Uploads files, a few at a time, and tells how to do it again. */
export function useUpload() {
  const cache = useQueryClient();
  const add = (files: readonly File[], order: Order, replaces?: string) => {
    const added = files.map(
      (file): Upload => ({
        key: crypto.randomUUID(),
        file,
        order,
        done: 0,
        state: "waiting",
        ...(replaces && { replaces }),
      }),
    );
    set({ uploads: [...current.uploads, ...added] });
    pump(cache);
  };
  return {
    add,
    again: (key: string) => {
      change(key, { state: "waiting", done: 0 });
      pump(cache);
    },
    /** Reads an import once more, by another order; once that one is there, the old one is given up. */
    reread: async (of: Import, order: Order) => add([await uploadedFile(of)], order, of.id),
    /** The same for several: none is read again before all of them are at hand. */
    rereadAll: async (all: readonly { of: Import; order: Order }[]) => {
      const files = await Promise.all(all.map(async (one) => ({ ...one, file: await uploadedFile(one.of) })));
      for (const { of, order, file } of files) add([file], order, of.id);
    },
  };
}

function pump(cache: QueryClient) {
  const sending = current.uploads.filter(({ state }) => state === "sending").length;
  for (const one of current.uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(0, AT_ONCE - sending)))
    void send(one, cache).finally(() => pump(cache));
}

async function send({ key, file, order, replaces }: Upload, cache: QueryClient) {
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
    if (replaces) await giveUp(replaces);
    set({
      uploads: current.uploads.filter((one) => one.key !== key),
      kept: [id, ...current.kept.filter((other) => other !== replaces)],
    });
    await cache.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("/api/imports") });
  } catch (reason) {
    if (reason instanceof Problem) change(key, { state: "failed", problem: reason });
    else if (!stop.signal.aborted) throw reason;
  } finally {
    stops.delete(key);
  }
}

// What has ended already needs no giving up, and the new import stands either way.
async function giveUp(id: string) {
  try {
    await answer(api.POST("/api/imports/{id}/cancel", { params: { path: { id } } }));
  } catch (reason) {
    if (!(reason instanceof Problem)) throw reason;
  }
}
