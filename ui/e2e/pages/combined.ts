/**
 * Pairs two lists: each value of either at least once, or every combination in a longer run (SALDO_SOAK). Languages, themes and widths
 * do not depend on each other, so the pairs show what the combinations would.
 */
export function combined<A, B>(first: readonly A[], second: readonly B[], how?: "all"): [A, B][] {
  if (how === "all" || Number(process.env.SALDO_SOAK ?? 1) > 1)
    return first.flatMap((a) => second.map((b): [A, B] => [a, b]));
  return Array.from({ length: Math.max(first.length, second.length) }, (_, n): [A, B] => [
    first[n % first.length] as A,
    second[n % second.length] as B,
  ]);
}
