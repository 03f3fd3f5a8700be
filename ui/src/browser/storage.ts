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

/** The database of older versions for invoices that wait until they can be sent. */
export const QUEUE = "saldo.queue";
/** Whether something waits there. */
export const QUEUED = "queued";

/** The database of this device for what waits until it can be sent, and for starting without a line. */
export const TRACKING = "saldo.tracking";

/** The database of this device for contracts that are being filled in. */
export const FORMS = "saldo.forms";

/** Forgets every text that was kept in this tab until it is sent. What waits on this device is asked about before. */
export function forgetDrafts() {
  try {
    const { sessionStorage } = window;
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFT)) sessionStorage.removeItem(key);
    indexedDB.deleteDatabase(FORMS);
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
