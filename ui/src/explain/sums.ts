import type { Explanation, Part } from "./queries";

/** A number that is not a whole one yet. */
interface Exact {
  up: bigint;
  down: bigint;
}

const plus = (a: Exact, b: Exact): Exact => ({ up: a.up * b.down + b.up * a.down, down: a.down * b.down });

/** To a whole number, a half away from zero. */
function rounded({ up, down }: Exact): bigint {
  const size = ((up < 0n ? -up : up) * 2n + down) / (down * 2n);
  return up < 0n ? -size : size;
}

const exactly = ({ amount, times, of }: Part): Exact => ({ up: BigInt(amount) * BigInt(times), down: BigInt(of) });

/** What a part comes to by itself; nothing where only the sum is rounded. */
export function wholePart(part: Part): bigint | undefined {
  return part.of === 1 || part.rounded ? rounded(exactly(part)) : undefined;
}

/** A figure on its way: the sum of its parts rounded once, at most the cap, less what was charged, not below the floor. */
interface Way {
  sum: bigint;
  capped: bigint;
  left: bigint;
  value: bigint;
}

/** The way of a figure in whole minor units; the server has checked that it ends in the value. */
export function wayOf({ parts, cap, charged, floor }: Explanation): Way {
  const sum = rounded(
    parts.reduce<Exact>(
      (total, part) => plus(total, part.rounded ? { up: rounded(exactly(part)), down: 1n } : exactly(part)),
      { up: 0n, down: 1n },
    ),
  );
  const capped = cap && BigInt(cap.amount) < sum ? BigInt(cap.amount) : sum;
  const left = capped - BigInt(charged ?? 0);
  return { sum, capped, left, value: floor && left < 0n ? 0n : left };
}
