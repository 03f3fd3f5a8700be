import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { QUEUED, recall, remember } from "../../browser/storage";
import { INVOICES, type Sent, upload } from "../../invoices/calls";
import { useSession } from "../../session/session";
import { sendWaiting, type Waiting } from "./queue";
import { device } from "./shelf";

// What waits on this device, as the screens see it.
let known: readonly Waiting[] = [];
const listeners = new Set<() => void>();

async function look() {
  known = await device.all();
  remember("localStorage", QUEUED, known.length > 0 ? "1" : null);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Keeps an invoice on the device until it can be sent. */
export async function keepWaiting(one: { owner: string; file: File; data: Sent | undefined }) {
  const { owner, file, data } = one;
  await device.put({ key: crypto.randomUUID(), owner, file, name: file.name, data, at: new Date().toISOString() });
  await look();
}

/** Takes one off that was refused. */
export async function giveUp(key: string) {
  await device.remove(key);
  await look();
}

const send = ({ file, name, key, data }: Waiting) =>
  upload({ file: new File([file], name, { type: file.type }), key, data });

let sending: Promise<unknown> | undefined;

/** How often it is tried while something waits and the browser says that there is a line. */
const AGAIN_MS = 30_000;

/**
 * What this person has waiting. It goes when the screen is opened, when the line is back, and from time to time: browsers do not always
 * know that there is one.
 */
export function useWaiting(): readonly Waiting[] {
  const owner = useSession().user.id;
  const cache = useQueryClient();
  const all = useSyncExternalStore(subscribe, () => known);
  const go = useEffectEvent(async () => {
    await look();
    if (sending || !recall("localStorage", QUEUED)) return;
    sending = sendWaiting(device, owner, send);
    const { sent } = (await sending.finally(() => (sending = undefined))) as { sent: number };
    await look();
    if (sent > 0)
      void cache.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(INVOICES) });
  });
  useEffect(() => {
    void go();
    const online = () => void go();
    window.addEventListener("online", online);
    const timer = setInterval(online, AGAIN_MS);
    return () => {
      window.removeEventListener("online", online);
      clearInterval(timer);
    };
  }, []);
  return all.filter((one) => one.owner === owner);
}
