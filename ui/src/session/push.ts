import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "../api/client";
import { SCOPE, WORKER } from "./worker";

// Notifications of this browser. They are asked for on a tap only: browsers refuse a page that asks by itself.

const PUSH = "/api/push-subscriptions";
// A browser whose push service is out of reach never answers.
const SUBSCRIBE_MS = 10_000;
const LEAVE_MS = 3000;

type PushState = "unsupported" | "install" | "blocked" | "off" | "on";
/** Why notifications could not be turned on. */
type PushFailure = "blocked" | "late" | "failed";

export const pushSupported = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Whether notifications come once the application is on the home screen: on an iPhone or iPad, outside of it. */
const needsInstalling = () =>
  !pushSupported() &&
  (/iPhone|iPad/.test(navigator.userAgent) ||
    (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1)) &&
  !window.matchMedia("(display-mode: standalone)").matches;

const subscribed = async () => {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? undefined;
};

const base64url = (bytes: ArrayBuffer | null) =>
  bytes
    ? btoa(String.fromCharCode(...new Uint8Array(bytes)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replace(/=+$/, "")
    : "";

/** How the server names a subscription: nothing secret stands in an address. */
async function hashOf(endpoint: string): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const late = (ms: number) => new Promise<"late">((done) => setTimeout(() => done("late"), ms));

const NAMES: [RegExp, string][] = [
  [/Firefox\//, "Firefox"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
];
const among = (list: [RegExp, string][]) => list.find(([found]) => found.test(navigator.userAgent))?.[1];
const device = () => [among(NAMES), among(SYSTEMS)].filter(Boolean).join(", ");

async function turnOn(): Promise<PushFailure | undefined> {
  // First of all: some browsers forget after any other waiting that a person tapped.
  if ((await Notification.requestPermission()) !== "granted") return "blocked";
  try {
    const { publicKey } = await answer(api.GET(PUSH));
    await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
    const { pushManager } = await navigator.serviceWorker.ready;
    const existing = await pushManager.getSubscription();
    if (existing && base64url(existing.options.applicationServerKey) !== publicKey) await existing.unsubscribe();
    const found = await Promise.race([
      pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }),
      late(SUBSCRIBE_MS),
    ]);
    if (found === "late") return "late";
    const body = {
      endpoint: found.endpoint,
      p256dh: base64url(found.getKey("p256dh")),
      auth: base64url(found.getKey("auth")),
      device: device(),
    };
    await answer(api.PUT(PUSH, { body }));
    return undefined;
  } catch {
    return "failed";
  }
}

async function turnOff(): Promise<undefined> {
  const found = await subscribed();
  if (!found) return undefined;
  const query = { device: await hashOf(found.endpoint) };
  // An address that is not subscribed any more is also forgotten by the server, with the next note.
  await Promise.allSettled([answer(api.DELETE(PUSH, { params: { query } })), found.unsubscribe()]);
  return undefined;
}

/** Ends the notifications of this browser before somebody signs out. It never fails, and never keeps them for long. */
export async function leavePush(): Promise<void> {
  if (!pushSupported()) return;
  await Promise.race([turnOff().catch(() => undefined), late(LEAVE_MS)]);
}

async function stateOf(): Promise<PushState> {
  if (needsInstalling()) return "install";
  if (!pushSupported()) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  const found = await subscribed();
  if (!found) return "off";
  const { devices } = await answer(api.GET(PUSH));
  const hash = await hashOf(found.endpoint);
  return devices.some(({ id }) => id === hash) ? "on" : "off";
}

/** Whether this browser shows notifications, and turning them on and off. */
export function usePush() {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<PushFailure>();
  const { data: state } = useQuery({ queryKey: [PUSH, "here"], queryFn: stateOf, retry: false });
  const during = async (work: () => Promise<PushFailure | undefined>) => {
    setBusy(true);
    setFailure(undefined);
    const failed = await work().catch(() => "failed" as const);
    await cache.invalidateQueries({ queryKey: [PUSH] });
    setBusy(false);
    setFailure(failed);
    return !failed;
  };
  return { state, busy, failure, turnOn: () => during(turnOn), turnOff: () => during(turnOff) };
}
