import { nice, ticks as ticksOf } from "d3-array";
import styles from "./charts.module.css";

/** A letter of an axis is about this wide. */
export const LETTER = 6.6;

/** The least and the greatest value, with zero between them or at an end: a chart that leaves zero out exaggerates. */
export function extentOf(values: readonly (number | null)[]): [number, number] {
  const known = values.filter((one) => one !== null);
  const [least, most] = [Math.min(0, ...known), Math.max(0, ...known)];
  return least === most ? [0, 1] : [least, most];
}

/** A line from one span of numbers to another. The linear scale of d3-scale brings colours and number formats with it, 9 KB. */
export const linear =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]) =>
  (value: number) =>
    start + ((value - from) / (to - from)) * (end - start);

/** From values to heights, with ticks at round numbers. */
export function verticalOf(values: readonly (number | null)[], top: number, bottom: number, ticks = 4) {
  const domain = nice(...extentOf(values), ticks);
  // Whole numbers only: there is no half of a driver or of a minor unit.
  const at = ticksOf(...domain, ticks).filter(Number.isInteger);
  return { y: linear(domain, [bottom, top]), ticks: at };
}

interface VerticalAxisProps {
  ticks: readonly number[];
  y: (value: number) => number;
  left: number;
  right: number;
  written: (value: number) => string;
}

/** Round numbers at the left; the line of zero is stronger than the others. */
export function VerticalAxis({ ticks, y, left, right, written }: VerticalAxisProps) {
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? styles.zero : styles.grid}
            x1={left}
            x2={right}
            y1={Math.round(y(tick)) + 0.5}
            y2={Math.round(y(tick)) + 0.5}
          />
          <text className={styles.tick} x={left - 8} y={y(tick) + 4} textAnchor="end">
            {written(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** How much room the numbers at the left need. */
export const roomFor = (texts: readonly string[]) =>
  Math.ceil(Math.max(0, ...texts.map(({ length }) => length)) * LETTER) + 12;

interface HorizontalAxisProps {
  labels: readonly string[];
  x: (nth: number) => number;
  y: number;
  width: number;
}

/** Labels below, as many as fit. The last one always stands there. */
export function HorizontalAxis({ labels, x, y, width }: HorizontalAxisProps) {
  const longest = Math.max(1, ...labels.map(({ length }) => length)) * LETTER + 12;
  const step = Math.max(1, Math.ceil((labels.length * longest) / Math.max(1, width)));
  const last = labels.length - 1;
  return (
    <g>
      {labels.map((label, nth) =>
        (last - nth) % step === 0 ? (
          <text key={label} className={styles.tick} x={x(nth)} y={y} textAnchor="middle">
            {label}
          </text>
        ) : null,
      )}
    </g>
  );
}

/** Moves heights away from each other until labels of a line's height do not overlap, keeping their order. */
export function spread(heights: readonly number[], line: number, top: number, bottom: number): number[] {
  const order = heights.map((height, nth) => ({ height, nth })).sort((a, b) => a.height - b.height);
  let before = Number.NEGATIVE_INFINITY;
  for (const one of order) {
    one.height = Math.max(one.height, before + line, top);
    before = one.height;
  }
  let after = bottom + line;
  for (const one of order.toReversed()) {
    one.height = Math.min(one.height, after - line);
    after = one.height;
  }
  return heights.map((_, nth) => order.find((one) => one.nth === nth)?.height ?? 0);
}
