import { scaleBand } from "d3-scale";
import { HorizontalAxis, LETTER, roomFor, VerticalAxis, verticalOf } from "./axes";
import { type Drawing, Drawn } from "./drawing";
import { type Fill, useFills } from "./patterns";
import styles from "./charts.module.css";

/** One part of every column; parts below zero hang from it. */
interface Part {
  key: string;
  label: string;
  fill: Fill;
  values: readonly number[];
  below?: boolean;
}

interface ColumnChartProps {
  label: string;
  list: string;
  parts: readonly Part[];
  ticks: readonly string[];
  points: readonly { key: string; to: string; head: string; values: readonly string[] }[];
  written: (value: number) => string;
  /** Whether the sum stands above each column; for few columns. */
  summed?: boolean;
  /** A level that all are compared with. */
  level?: { value: number; label: string } | undefined;
}

const TOP = 20;
const BOTTOM = 28;
const HEIGHT = 240;
const LOW = 200;
const NARROW = 480;
const NAME = 22;
const SWATCH = 12;

interface Named {
  part: Part;
  x: number;
  row: number;
}

/** The names of the parts in rows above the columns, as many in a row as fit. */
function namesIn(parts: readonly Part[], width: number): Named[] {
  let [x, row] = [0, 0];
  return parts.map((part) => {
    const wide = SWATCH + 6 + part.label.length * (LETTER + 0.4) + 16;
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1];
    const named = { part, x, row };
    x += wide;
    return named;
  });
}

/** Columns side by side, of one part or of several. */
export function ColumnChart(props: ColumnChartProps) {
  const { label, list, parts, ticks, points, written, summed = false, level } = props;
  const fills = useFills();
  const draw = (width: number): Drawing => {
    const names = parts.length > 1 ? namesIn(parts, width) : [];
    const head = names.length > 0 ? (Math.max(...names.map(({ row }) => row)) + 1) * NAME : 0;
    const top = head + TOP;
    const height = head + (width < NARROW ? LOW : HEIGHT);
    const floor = height - BOTTOM;
    const over = points.map((_, nth) => sumOf(parts, nth, false));
    const under = points.map((_, nth) => -sumOf(parts, nth, true));
    const { y, ticks: at } = verticalOf([...over, ...under, level?.value ?? 0], top, floor);
    const left = roomFor(at.map((tick) => written(parts.some(({ below }) => below) ? Math.abs(tick) : tick)));
    const scale = scaleBand<number>()
      .domain(points.map((_, nth) => nth))
      .range([left, width])
      .paddingInner(points.length > 20 ? 0.25 : 0.35)
      .paddingOuter(0.15);
    const band = scale.bandwidth();
    const x = (nth: number) => (scale(nth) ?? left) + band / 2;
    return {
      height,
      marks: (
        <>
          {fills.defs}
          {names.map(({ part, x: from, row }) => (
            <g key={part.key}>
              <rect
                {...fills.of(part.fill)}
                x={from + 0.5}
                y={row * NAME + 3.5}
                width={SWATCH - 1}
                height={SWATCH - 1}
              />
              <text className={styles.name} x={from + SWATCH + 6} y={row * NAME + 13}>
                {part.label}
              </text>
            </g>
          ))}
          <VerticalAxis
            ticks={at}
            y={y}
            left={left}
            right={width}
            written={(tick) => written(parts.some(({ below }) => below) ? Math.abs(tick) : tick)}
          />
          <HorizontalAxis labels={ticks} x={x} y={height - 6} width={width - left} />
          {points.map(({ key }, nth) => (
            <g key={key}>
              {stackOf(parts, nth).map(({ part, from, to }) => (
                <rect
                  key={part.key}
                  {...fills.of(part.fill)}
                  x={x(nth) - band / 2}
                  y={Math.min(y(from), y(to))}
                  width={band}
                  height={Math.max(1, Math.abs(y(from) - y(to)))}
                />
              ))}
              {summed && (
                <text className={styles.sum} x={x(nth)} y={y(Math.max(0, over[nth] ?? 0)) - 5} textAnchor="middle">
                  {written(over[nth] ?? 0)}
                </text>
              )}
            </g>
          ))}
          {level && (
            <g>
              <line className={styles.level} x1={left} x2={width} y1={y(level.value)} y2={y(level.value)} />
              <text className={styles.levelName} x={left + 2} y={y(level.value) - 5}>
                {level.label}
              </text>
            </g>
          )}
        </>
      ),
      points: points.map((point, nth) => ({
        ...point,
        x: x(nth) - scale.step() / 2,
        y: top,
        width: scale.step(),
        height: floor - top,
      })),
    };
  };
  return <Drawn label={label} list={list} draw={draw} />;
}

const sumOf = (parts: readonly Part[], nth: number, below: boolean) =>
  parts.reduce((sum, part) => (Boolean(part.below) === below ? sum + (part.values[nth] ?? 0) : sum), 0);

/** From where to where each part of a column reaches; what is nothing is not there. */
function stackOf(parts: readonly Part[], nth: number) {
  let [over, under] = [0, 0];
  return parts.flatMap((part) => {
    const value = part.values[nth] ?? 0;
    if (value === 0) return [];
    if (part.below) {
      const from = under;
      under -= value;
      return [{ part, from, to: under }];
    }
    const from = over;
    over += value;
    return [{ part, from, to: over }];
  });
}
