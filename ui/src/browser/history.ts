import type { Navigator, To } from "react-router";

/** An address that was visited, with what was left there for a return to it. */
export interface Entry {
  path: string;
  state: unknown;
  key: string;
  /** How many entries of the application stand before it. */
  index: number;
}

/** Where entries are kept: by the browser, or in a list. */
export interface Entries {
  current: () => Entry;
  push: (entry: Entry) => void;
  replace: (entry: Entry) => void;
  go: (delta: number) => void;
  /** Tells when the person went back or forward. */
  watch: (moved: () => void) => void;
}

/** Somebody who may keep a person where they are. */
interface Guard {
  unsaved: () => boolean;
  /** Is handed the way on, for when the person wants to leave all the same. */
  ask: (leave: () => void) => void;
}

interface Visit {
  entry: Entry;
  /** Whether the screen must follow before anything else happens: what is typed into an address is shown at once. */
  atOnce: boolean;
}

export interface History extends Navigator {
  current: () => Visit;
  listen: (listener: (visit: Visit) => void) => () => void;
  /** From now on nobody leaves unasked, whichever way: a link, a button or back and forward. */
  guard: (guard: Guard) => () => void;
}

const pathOf = (to: To) => (typeof to === "string" ? to : `${to.pathname ?? "/"}${to.search ?? ""}${to.hash ?? ""}`);

const newKey = () => Math.random().toString(36).slice(2, 10);

/** What the router needs of a history, and guards against leaving. */
export function historyOf(entries: Entries): History {
  let visit: Visit = { entry: entries.current(), atOnce: false };
  const listeners = new Set<(visit: Visit) => void>();
  const guards = new Set<Guard>();
  // Going back and forward has happened by the time one hears of it: it is undone, and repeated when the person insists.
  let expected: "undone" | "repeated" | undefined;

  const show = (entry: Entry, atOnce = false) => {
    visit = { entry, atOnce };
    for (const listener of listeners) listener(visit);
  };
  const guarded = (leave: () => void): boolean => {
    const first = [...guards].find(({ unsaved }) => unsaved());
    first?.ask(leave);
    return first !== undefined;
  };

  entries.watch(() => {
    const entry = entries.current();
    const asked = expected;
    expected = undefined;
    if (asked === "undone") return;
    const delta = entry.index - visit.entry.index;
    const again = () => {
      expected = "repeated";
      entries.go(delta);
    };
    if (asked !== "repeated" && delta !== 0 && guarded(again)) {
      expected = "undone";
      entries.go(-delta);
      return;
    }
    show(entry);
  });

  const write = (how: "push" | "replace", to: To, state: unknown, atOnce: boolean) => {
    const go = () => {
      const index = visit.entry.index + (how === "push" ? 1 : 0);
      const entry: Entry = { path: pathOf(to), state: state ?? null, key: newKey(), index };
      entries[how](entry);
      show(entry, atOnce);
    };
    if (!guarded(go)) go();
  };

  return {
    createHref: pathOf,
    go: entries.go,
    push: (to, state, options) => write("push", to, state, options?.flushSync === true),
    replace: (to, state, options) => write("replace", to, state, options?.flushSync === true),
    current: () => visit,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    guard: (guard) => {
      guards.add(guard);
      return () => guards.delete(guard);
    },
  };
}

/** The browser's own history. */
export function browserEntries(): Entries {
  const stateOf = ({ state, key, index }: Entry) => ({ state, key, index });
  const current = (): Entry => {
    const held = window.history.state as Partial<Entry> | null;
    return {
      path: location.pathname + location.search + location.hash,
      state: held?.state ?? null,
      key: held?.key ?? "default",
      index: held?.index ?? 0,
    };
  };
  const entries: Entries = {
    current,
    push: (entry) => window.history.pushState(stateOf(entry), "", entry.path),
    replace: (entry) => window.history.replaceState(stateOf(entry), "", entry.path),
    go: (delta) => window.history.go(delta),
    watch: (moved) => window.addEventListener("popstate", moved),
  };
  entries.replace(current());
  return entries;
}
