// Browsers may forbid storage altogether: then a choice lasts until the page is left, and nothing breaks.

/** What was remembered under a key. */
export function recall(storage: "localStorage" | "sessionStorage", key: string): string | null {
  try {
    return window[storage].getItem(`saldo.${key}`);
  } catch {
    return null;
  }
}

/** Remembers a value, or forgets it when it is null. */
export function remember(storage: "localStorage" | "sessionStorage", key: string, value: string | null) {
  try {
    if (value === null) window[storage].removeItem(`saldo.${key}`);
    else window[storage].setItem(`saldo.${key}`, value);
  } catch {
    // Nothing depends on it.
  }
}

const DRAFT = "saldo.draft.";

/** The database of this device for files that wait until they can be sent. */
export const QUEUE = "saldo.queue";
/** Whether something waits there: whoever has nothing waiting need not open it. */
export const QUEUED = "queued";

/** The database of this device for trips and working time that wait, and for starting without a line. */
export const TRACKING = "saldo.tracking";

/** The database of this device for contracts that are being filled in. */
export const FORMS = "saldo.forms";

/** Forgets every text that was kept in this tab until it is sent, and every file that waits on this device. */
export function forgetDrafts() {
  remember("localStorage", QUEUED, null);
  try {
    const { sessionStorage } = window;
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFT)) sessionStorage.removeItem(key);
    for (const name of [QUEUE, FORMS]) indexedDB.deleteDatabase(name);
  } catch {
    // Where storage is forbidden nothing was kept.
  }
}

/** Whether somebody can start on this device without a line. */
export const STARTS = "starts";
/** How much is written down on this device and not sent, by person: numbers and ids alone. */
export const WAITING = "waiting";

/** How much a person has written down on this device that is not sent. */
export function waitingOf(owner: string): number {
  try {
    const found = JSON.parse(recall("localStorage", WAITING) ?? "{}") as Record<string, number>;
    return found[owner] ?? 0;
  } catch {
    return 0;
  }
}

/** How much others have written down on this device. */
export function waitingOfOthers(owner: string): number {
  try {
    const found = JSON.parse(recall("localStorage", WAITING) ?? "{}") as Record<string, number>;
    return Object.entries(found).reduce((sum, [one, n]) => (one === owner ? sum : sum + n), 0);
  } catch {
    return 0;
  }
}
