import { remember } from "../browser/storage";

/** How a session ended that other tabs shared. */
type EndedElsewhere = "left" | "expired";

const ENDED = "ended";

/** Tells the other tabs of this browser that nobody is signed in any more. */
export function tellEnded(how: EndedElsewhere) {
  // The same text twice is no change, and nobody is told of none.
  remember("localStorage", ENDED, `${how} ${crypto.randomUUID()}`);
  remember("localStorage", ENDED, null);
}

/** Listens to what other tabs tell. */
export function onEnded(listener: (how: EndedElsewhere) => void): () => void {
  const heard = ({ key, newValue }: StorageEvent) => {
    if (key === `saldo.${ENDED}` && newValue) listener(newValue.startsWith("left") ? "left" : "expired");
  };
  addEventListener("storage", heard);
  return () => removeEventListener("storage", heard);
}
