/** Whether this is a longer run. */
export const SOAK = Number(process.env.SALDO_SOAK ?? 1) > 1;

/** Marks a journey of a longer run. docs/develop/testing.md says what shows the same in a short one. */
export const IN_FULL = { tag: "@full" };

/**
 * All ways to go through a journey in a longer run (SALDO_SOAK), else the one named first: what a person does is the same on a phone and
 * on a desktop, and `axe.spec.ts` sees every screen on both.
 */
export const ways = <Way>(first: Way, ...others: Way[]): Way[] => (SOAK ? [first, ...others] : [first]);

/**
 * Pairs two lists: each value of either at least once, or every combination in a longer run (SALDO_SOAK). Languages, themes and widths
 * do not depend on each other, so the pairs show what the combinations would.
 */
export function combined<A, B>(first: readonly A[], second: readonly B[], how?: "all"): [A, B][] {
  if (how === "all" || SOAK) return first.flatMap((a) => second.map((b): [A, B] => [a, b]));
  return Array.from({ length: Math.max(first.length, second.length) }, (_, n): [A, B] => [
    first[n % first.length] as A,
    second[n % second.length] as B,
  ]);
}
