import { useState } from "react";
import type { DriverRow } from "./queries";

/** Which drivers of this page are chosen. Who is not on screen is not chosen: nothing happens to them unseen. */
export function useSelection(rows: readonly DriverRow[] | undefined) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const here = rows?.map(({ id }) => id) ?? [];
  const ids = here.filter((id) => chosen.has(id));
  const all = here.length > 0 && ids.length === here.length;
  return {
    ids,
    count: ids.length,
    all,
    has: (id: string) => chosen.has(id),
    toggle: (id: string) => setChosen(new Set(chosen.has(id) ? ids.filter((other) => other !== id) : [...ids, id])),
    toggleAll: () => setChosen(new Set(all ? [] : here)),
    clear: () => setChosen(new Set()),
  };
}
