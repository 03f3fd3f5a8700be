import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { countWaiting } from "../device/kept";
import { carryOver } from "../device/carry";
import { type Change, discard, insist, keep, read, type Refusal, rows, type Waiting, withdraw } from "../device/outbox";
import { room, type Short } from "../device/room";
import { sendAll } from "../device/sending";
import { useSession } from "../session/session";
import type { FaultCode } from "../api/problem";
import { type Entry, calls, CHANGED } from "./sender";

/** What waits on this device for a person, as screens show it. */
interface Shown {
  /** Whether the device was asked yet. */
  read: boolean;
  waiting: readonly Waiting<Entry>[];
  sending: boolean;
  /** Whether there is little room for more. */
  short?: Short | undefined;
  /** Why it was not sent when that was last tried. */
  why?: FaultCode | undefined;
  /** Whether this device keeps nothing, as in some private windows. */
  broken: boolean;
}

let shown: Shown = { read: false, waiting: [], sending: false, broken: false };
let owner = "";
const listeners = new Set<() => void>();

function show(change: Partial<Shown>) {
  shown = { ...shown, ...change };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

// Tabs of one browser share what waits.
const others = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("saldo.tracking");
others?.addEventListener("message", () => void look(false));

async function look(tell = true) {
  const of = owner;
  if (!of) return;
  try {
    const found = await Promise.all((await rows(of)).map((row) => read<Entry>(row)));
    if (of !== owner) return;
    show({ read: true, waiting: found, broken: false, short: await room(found) });
    await countWaiting();
  } catch {
    show({ read: true, broken: true });
  }
  if (tell) others?.postMessage("changed");
}

const FIRST_MS = 1000;
const LAST_MS = 15 * 60_000;
let pause = FIRST_MS;
let timer: ReturnType<typeof setTimeout> | undefined;
let onSent: () => void = () => undefined;

/** Only one tab sends at a time. */
async function alone(work: () => Promise<void>) {
  if (!("locks" in navigator)) return work();
  await navigator.locks.request("saldo.outbox", { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}

let running: Promise<void> | undefined;

/** Tries to send all that waits, now and until it is gone. */
async function send() {
  clearTimeout(timer);
  const of = owner;
  if (!of || shown.broken || !shown.waiting.some(({ state }) => state === "waiting")) return;
  running ??= attempt(of).finally(() => {
    running = undefined;
  });
  await running;
}

async function attempt(of: string) {
  show({ sending: true });
  let ended: Awaited<ReturnType<typeof sendAll>> = { sent: 0, cut: true };
  try {
    await alone(async () => {
      ended = await sendAll(of, calls, () => void look());
    });
  } finally {
    await look();
    show({ sending: false, why: ended.why });
  }
  if (of !== owner) return;
  if (ended.sent > 0) {
    pause = FIRST_MS;
    onSent();
  }
  if (!ended.cut) return;
  timer = setTimeout(() => void send(), pause);
  pause = Math.min(2 * pause, LAST_MS);
}

/** Sends without waiting for the next try: something says that there is a line. */
export function sendNow() {
  pause = FIRST_MS;
  void look(false).then(send);
}

/** What waits on this device, for one who knows that it is sent elsewhere. */
export const useShown = () => useSyncExternalStore(subscribe, () => shown);

/** What an older version kept, one tab at a time. */
async function carried() {
  try {
    if ("locks" in navigator) await navigator.locks.request("saldo.carry", carryOver);
    else await carryOver();
  } catch {
    // It stays where it is, until the next start.
  }
}

/** Sends what this person has waiting: at once, when the line is back, when the screen is looked at again, and from time to time. */
export function useSending() {
  const session = useSession();
  const cache = useQueryClient();
  const { id } = session.user;
  const sent = useEffectEvent(() => {
    void cache.invalidateQueries({
      predicate: ({ queryKey: [path] }) => CHANGED.some((prefix) => String(path).startsWith(prefix)),
    });
  });
  useEffect(() => {
    if (owner !== id) {
      owner = id;
      shown = { read: false, waiting: [], sending: false, broken: false };
    }
    const known = carried().then(() => look(false));
    if (session.offline) return;
    onSent = () => sent();
    void known.then(sendNow);
    const seen = () => {
      if (document.visibilityState === "visible") sendNow();
    };
    addEventListener("online", sendNow);
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", sendNow);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [id, session.offline]);
}

/** Keeps a change on the device and sends it as soon as it can be. */
export function useKeep() {
  const session = useSession();
  return async (change: Omit<Change<Entry>, "owner" | "partner">) => {
    owner = session.user.id;
    await keep({ ...change, owner, partner: session.partner?.id ?? "" });
    await look();
    // Asked when there is something to keep.
    if (shown.waiting.length === 1 && "storage" in navigator) void navigator.storage.persist();
    if (!session.offline) sendNow();
  };
}

/** What became of something that was kept: the server has it, it waits, or it was refused and stays with the reason. */
type Kept = { is: "sent" } | { is: "waiting" } | { is: "refused"; refusal: Refusal };

/** Keeps something on the device and waits for what the server says of it, or for the line to be cut. */
export function useKeepAndSend() {
  const session = useSession();
  const put = useKeep();
  return async (change: Omit<Change<Entry>, "owner" | "partner">): Promise<Kept> => {
    await put(change);
    if (session.offline) return { is: "waiting" };
    await running; // it may have begun before this was there
    await look();
    await send();
    const row = shown.waiting.find(({ id }) => id === change.id);
    if (!row) return { is: "sent" };
    return row.state === "refused" && row.refusal ? { is: "refused", refusal: row.refusal } : { is: "waiting" };
  };
}

/** Takes back what was never sent. */
export async function takeBack(id: string) {
  await withdraw(id);
  await look();
}

/** Takes a change back. */
export async function giveUp(id: string) {
  await discard(id);
  await look();
}

/** Sends a change over what the server has. */
export async function sendOver(id: string, version: number) {
  await insist(id, version);
  await look();
  sendNow();
}
