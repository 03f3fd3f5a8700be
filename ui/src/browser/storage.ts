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
