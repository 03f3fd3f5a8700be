import { useState } from "react";
import type { Placement } from "./pdf-calls";

const MOST = 200;

interface Step {
  before: readonly Placement[];
  /** What was changed: steps of one thing follow each other as one. */
  of: string;
}

/** Changes that can be taken back. Moving one field by many steps is one change. */
export function useUndo(all: readonly Placement[], onChange: (all: Placement[]) => void) {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const change = (next: Placement[], of = "") => {
    const last = steps.at(-1);
    if (of === "" || last?.of !== of) setSteps([...steps.slice(-MOST), { before: all, of }]);
    onChange(next);
  };
  const undo = () => {
    const last = steps.at(-1);
    if (!last) return;
    setSteps(steps.slice(0, -1));
    onChange([...last.before]);
  };
  /** The next change is one of its own, whatever it is of. */
  const rest = () => setSteps((now) => now.map((step, at) => (at === now.length - 1 ? { ...step, of: "" } : step)));
  return { change, undo, rest, canUndo: steps.length > 0 };
}
