import { useRef, useState } from "react";
import { Problem } from "../../api/problem";
import { useTouched } from "./queries";
import type { Outcome, Outcomes, Settled } from "./settled-queries";

/** What can be done with settlements. */
export type Act = "pay" | "unpay" | "revoke" | "carry" | "share" | "issue";

/** How many the server takes at once. */
const CHUNK = 200;

interface Refused {
  row: Settled;
  outcome: Outcome;
}

/** What became of everything that was to be done: it adds up. */
interface Result {
  act: Act;
  done: number;
  refused: readonly Refused[];
  /** Those of which nobody knows, because the request failed, and those after them. */
  left: number;
  problem: Problem | undefined;
}

/** Does something with many settlements, a part at a time, and keeps exactly what became of each. */
export function useBulk() {
  const touched = useTouched();
  const busy = useRef(false);
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [result, setResult] = useState<Result>();
  const run = async (act: Act, rows: readonly Settled[], call: (ids: string[]) => Promise<Outcomes>) => {
    if (busy.current || rows.length === 0) return;
    busy.current = true;
    setResult(undefined);
    const found: Result = { act, done: 0, refused: [], left: rows.length, problem: undefined };
    for (let from = 0; from < rows.length && !found.problem; from += CHUNK) {
      setProgress({ done: from, all: rows.length });
      const part = rows.slice(from, from + CHUNK);
      try {
        const { outcomes, done } = await call(part.map(({ id }) => id));
        found.done += done;
        found.left -= part.length;
        found.refused = [
          ...found.refused,
          ...outcomes.flatMap((outcome) => {
            const row = part.find(({ id }) => id === outcome.id);
            return outcome.fault && row ? [{ row, outcome }] : [];
          }),
        ];
      } catch (reason) {
        if (!(reason instanceof Problem)) throw reason;
        found.problem = reason;
      }
    }
    busy.current = false;
    setProgress(undefined);
    setResult(found);
    await touched();
  };
  return { run, progress, result, forget: () => setResult(undefined) };
}

export type Bulk = ReturnType<typeof useBulk>;
