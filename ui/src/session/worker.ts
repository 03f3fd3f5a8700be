import { useEffect, useSyncExternalStore } from "react";
import { i18n } from "../i18n";

// The service worker keeps what a driver needs without a line, and shows notifications. Only drivers have it.

/** Where the service worker is, and what it is for. */
export const WORKER = "/app/worker.js";
export const SCOPE = "/app/";

let waiting: ServiceWorker | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function found(worker: ServiceWorker | null | undefined) {
  // The first one of all replaces nothing.
  if (!worker || !navigator.serviceWorker.controller) return;
  waiting = worker;
  for (const listener of listeners) listener();
}

const tellLanguage = (registration: ServiceWorkerRegistration) =>
  (registration.active ?? registration.waiting ?? registration.installing)?.postMessage({
    type: "language",
    language: i18n.language,
  });

async function keepShell() {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  found(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const next = registration.installing;
    next?.addEventListener("statechange", () => {
      if (next.state === "installed") found(next);
    });
  });
  tellLanguage(await navigator.serviceWorker.ready);
}

/** Has the browser keep what this person needs without a line, in the language on screen. */
export function useShell(wanted: boolean) {
  useEffect(() => {
    if (!wanted || !("serviceWorker" in navigator) || !import.meta.env.PROD) return;
    void keepShell().catch(() => undefined); // without it everything else works
    const changed = () => void navigator.serviceWorker.ready.then(tellLanguage);
    i18n.on("languageChanged", changed);
    return () => i18n.off("languageChanged", changed);
  }, [wanted]);
}

/** Whether a newer version waits until nobody uses the old one. */
export const useNewVersion = () => useSyncExternalStore(subscribe, () => waiting !== undefined);

/** Goes on with the newer version. */
export function reload() {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting?.postMessage({ type: "update" });
}
