import { useEffect, useEffectEvent, useState } from "react";
import { recall, remember } from "../../browser/storage";

/** What was written before the session ended; it is handed over once. */
export function useKeptDraft(name: string): unknown {
  const [kept] = useState(() => {
    const text = recall("sessionStorage", name);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  });
  return kept;
}

/**
 * Keeps what is being written for the tab, so that the end of a session costs none of it: then the screen goes and its
 * address stays. Whoever leaves the address has sent or discarded it.
 */
export function useKeepDraft(name: string, path: string, draft: object | undefined) {
  const text = draft ? JSON.stringify(draft) : null;
  useEffect(() => remember("sessionStorage", name, text), [name, text]);
  const leave = useEffectEvent(() => {
    if (!window.location.pathname.endsWith(path)) remember("sessionStorage", name, null);
  });
  useEffect(() => () => leave(), []);
}
