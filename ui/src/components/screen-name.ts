import { useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";

// In memory alone: names of people are not left in the browser's storage.
let names: ReadonlyMap<string, string> = new Map();
const listeners = new Set<() => void>();

function put(path: string, name: string) {
  if (names.get(path) === name) return;
  names = new Map(names).set(path, name);
  for (const listener of listeners) listener();
}

/** Says what the screen at this address is about, for its tab. Undefined: not known yet. */
export function useScreenName(name: string | undefined) {
  const { pathname } = useLocation();
  useEffect(() => {
    if (name) put(pathname, name);
  }, [pathname, name]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What screens that were opened are about, by their paths. */
export const useScreenNames = () => useSyncExternalStore(subscribe, () => names);
