import type { Placement, SheetSize } from "./pdf-calls";

/** The smallest sides of a field, as the server has them. */
const LEAST = 2;
const SIGNED = [15, 6] as const;

export const LETTERS = { least: 5, most: 36, usual: 10 } as const;

/** Tenths of a millimetre: what is kept. */
const tenth = (mm: number) => Math.round(mm * 10) / 10;

const between = (least: number, n: number, most: number) => Math.max(least, Math.min(n, Math.max(least, most)));

/** How small a field may be. */
const leastOf = ({ kind }: Placement): readonly [number, number] => (kind === "signature" ? SIGNED : [LEAST, LEAST]);

/** A field within its page, in tenths. */
export function fitted(of: Placement, page: SheetSize): Placement {
  const [wide, high] = leastOf(of);
  const w = between(wide, of.w, page.width);
  const h = between(high, of.h, page.height);
  return {
    ...of,
    w: tenth(w),
    h: tenth(h),
    x: tenth(between(0, of.x, page.width - w)),
    y: tenth(between(0, of.y, page.height - h)),
  };
}

/** A field that is moved by so many millimetres and stays on its page. */
export const moved = (of: Placement, dx: number, dy: number, page: SheetSize) =>
  fitted({ ...of, x: of.x + dx, y: of.y + dy }, page);

/** A field whose right lower corner is moved and stays on its page. */
export function resized(of: Placement, dx: number, dy: number, page: SheetSize) {
  const [wide, high] = leastOf(of);
  const w = between(wide, of.w + dx, page.width - of.x);
  const h = between(high, of.h + dy, page.height - of.y);
  return fitted({ ...of, w, h }, page);
}

const SIZES = { text: [60, 7], check: [4, 4], signature: [50, 25] } as const;

/** A new field on a page, where none lies yet. */
export function added(
  kind: Placement["kind"],
  name: string,
  page: number,
  size: SheetSize,
  all: readonly Placement[],
): Placement {
  const [w, h] = SIZES[kind];
  let y = Math.round(size.height * 0.15);
  const taken = (at: number) => all.some((one) => one.page === page && one.y < at + h && at < one.y + one.h);
  while (taken(y) && y < size.height - 2 * h) y += h + 2;
  return fitted({ name, kind, page, x: Math.round(size.width * 0.15), y, w, h, size: LETTERS.usual }, size);
}

/** What is wrong with the fields before they are saved: a code of the texts, or nothing. */
export function lackOf(all: readonly Placement[]): "needValue" | "needSignature" | undefined {
  if (all.some(({ name }) => name === "")) return "needValue";
  if (!all.some(({ kind }) => kind === "signature")) return "needSignature";
  return undefined;
}

/** The fields that a refusal names, as the server writes them: `placements.3.box`. */
export const wrongAt = (names: readonly string[]): ReadonlySet<number> =>
  new Set(
    names.flatMap((name) => {
      const [, at] = /^placements\.(\d+)\./.exec(name) ?? [];
      return at === undefined ? [] : [Number(at)];
    }),
  );

/** What a person does to the field that has the focus. */
type Act = { move: [number, number] } | { resize: [number, number] } | "remove" | "undo";

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What a key means on a field: arrows move it by a millimetre, with Shift they resize it. */
export function actOf(event: { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): Act | undefined {
  const step = STEPS[event.key];
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "z" ? "undo" : undefined;
  if (step) return event.shiftKey ? { resize: step } : { move: step };
  return event.key === "Delete" || event.key === "Backspace" ? "remove" : undefined;
}
