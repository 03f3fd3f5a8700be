import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { PendingList } from "./pending-list";
import { type Run, usePreviewRun, useRun, useTouched, type Selection } from "./queries";

const isOver = (state: Run["state"]) => state !== "preview" && state !== "running";

/** A run from the selection to its end. It is named in the address, so that a reload brings it again. */
export function useSettling(list: PendingList, onDone: () => void) {
  const preview = usePreviewRun();
  const run = useRun(list.run);
  const [selection, setSelection] = useState<Selection>();
  const [hidden, setHidden] = useState(false);
  const asking = useRef(false);

  // Whoever presses twice gets one dry run.
  const ask = async (wanted: Selection) => {
    if (asking.current) return;
    asking.current = true;
    setSelection(wanted);
    setHidden(false);
    try {
      const { id } = await preview.mutateAsync(wanted);
      list.setRun(id);
    } catch {
      // The drawer shows why.
    } finally {
      asking.current = false;
    }
  };

  const last = useRef<Pick<Run, "id" | "state">>(undefined);
  const touched = useTouched();
  const follow = useEffectEvent((now: Run) => {
    const before = last.current;
    last.current = { id: now.id, state: now.state };
    if (before?.id !== now.id || before.state === now.state || !isOver(now.state)) return;
    void touched();
    if (now.state === "done") onDone();
  });
  useEffect(() => {
    if (run.data) follow(run.data);
  }, [run.data]);

  const leave = () => {
    preview.reset();
    setSelection(undefined);
    if (list.run || list.settle) list.setRun("");
  };
  // Whoever comes to settle one driver sees the dry run of that one.
  const { settle, period } = list;
  const askFor = useEffectEvent((driver: string, code: string) => void ask({ period: code, drivers: [driver] }));
  useEffect(() => {
    if (settle && period) askFor(settle, period);
  }, [settle, period]);
  return {
    run,
    preview,
    ask: (wanted: Selection) => void ask(wanted),
    retry: () => {
      if (list.run) void run.refetch();
      else if (selection) void ask(selection);
    },
    /** Whether there is something to show. */
    open: !hidden && (list.run !== "" || preview.isPending || preview.isError),
    hidden: hidden && list.run !== "",
    show: () => setHidden(false),
    // What works goes on: it is only out of sight.
    close: () => {
      if (run.data?.state === "running") setHidden(true);
      else leave();
    },
    leave,
  };
}

export type Settling = ReturnType<typeof useSettling>;
