import { useEffect, useState } from "react";
import { recall, remember } from "../browser/storage";
import type { Stroke } from "./strokes";

/** What somebody did on the last step: it survives a reload and another sign-in in this tab, not a change of the documents. */
interface SigningState {
  /** Of the documents that it is about. */
  sums: Record<string, string>;
  shown: { order: number; pages: number; ms: number }[];
  ticked: string[];
  strokes: readonly Stroke[];
  typed: string;
  typing: boolean;
  replaces: boolean;
  /** The idempotency key of signing these documents with this signature. */
  key: string;
}

// Kept like every text that was not sent: whoever signs out leaves nothing.
const KEY = "draft.contract-signing";

const empty = (sums: Record<string, string>): SigningState => ({
  sums,
  shown: [],
  ticked: [],
  strokes: [],
  typed: "",
  typing: false,
  replaces: false,
  key: crypto.randomUUID(),
});

function kept(of: string): SigningState | undefined {
  try {
    const { who, state } = JSON.parse(recall("sessionStorage", KEY) ?? "") as { who: string; state: SigningState };
    return who === of ? state : undefined;
  } catch {
    return undefined;
  }
}

/** The state of signing some documents. Other documents are read again and signed anew; a typed name stays. */
export function useSigningState(who: string, sums: Record<string, string>) {
  const about = JSON.stringify(sums);
  const [state, setState] = useState(() => {
    const before = kept(who);
    return before && JSON.stringify(before.sums) === about ? before : empty(sums);
  });
  const changed = JSON.stringify(state.sums) !== about;
  if (changed) setState({ ...empty(sums), typed: state.typed, typing: state.typing });
  useEffect(() => remember("sessionStorage", KEY, JSON.stringify({ who, state })), [who, state]);
  return {
    state,
    change: (more: Partial<SigningState>) => setState((before) => ({ ...before, ...more, key: crypto.randomUUID() })),
  };
}

/** Forgets it, once it is signed. */
export const forgetSigning = () => remember("sessionStorage", KEY, null);
