import { useState } from "react";

/** A row that can be chosen; without a payout it cannot. */
interface Choosable {
  id: string;
  payout: number | undefined;
}

interface Chosen {
  payout: number;
  /** The filter under which it was chosen. */
  under: string;
}

/**
 * Which rows are chosen, on this page and on others, with what each is paid. It belongs to one scope, such as a period:
 * in another one nothing is chosen.
 */
export function useSelection(scope: string, filterKey: string, rows: readonly Choosable[] | undefined) {
  const [kept, setKept] = useState<{ scope: string; chosen: ReadonlyMap<string, Chosen> }>({
    scope,
    chosen: new Map(),
  });
  const before = kept.scope === scope ? kept.chosen : new Map<string, Chosen>();
  const here = new Map(rows?.map(({ id, payout }) => [id, payout]));
  // What is on screen is newer than what was kept: an amount may have changed, or nothing can be done any more.
  const chosen = new Map(
    [...before].flatMap(([id, one]): [string, Chosen][] => {
      if (!here.has(id)) return [[id, one]];
      const payout = here.get(id);
      return payout === undefined ? [] : [[id, { ...one, payout }]];
    }),
  );
  const keep = (next: ReadonlyMap<string, Chosen>) => setKept({ scope, chosen: next });
  const able = [...here].filter((row): row is [string, number] => row[1] !== undefined);
  const onPage = able.filter(([id]) => chosen.has(id)).length;
  const all = able.length > 0 && onPage === able.length;
  return {
    ids: [...chosen.keys()],
    count: chosen.size,
    sum: [...chosen.values()].reduce((sum, { payout }) => sum + payout, 0),
    onPage,
    elsewhere: chosen.size - onPage,
    /** Whether some were chosen under another filter and may not be in the list now. */
    hidden: [...chosen].some(([id, { under }]) => under !== filterKey && !here.has(id)),
    all,
    some: onPage > 0 && !all,
    able: able.length,
    has: (id: string) => chosen.has(id),
    toggle: (id: string) => {
      const next = new Map(chosen);
      const payout = here.get(id);
      if (!next.delete(id) && payout !== undefined) next.set(id, { payout, under: filterKey });
      keep(next);
    },
    togglePage: () => {
      const next = new Map(chosen);
      for (const [id, payout] of able)
        if (all) next.delete(id);
        else next.set(id, { payout, under: filterKey });
      keep(next);
    },
    add: (more: ReadonlyMap<string, number>) =>
      keep(new Map([...chosen, ...[...more].map(([id, payout]) => [id, { payout, under: filterKey }] as const)])),
    clear: () => keep(new Map()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
