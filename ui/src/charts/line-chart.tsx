import { scalePoint } from "d3-scale";
import { curveLinear, curveMonotoneX, line } from "d3-shape";
import { HorizontalAxis, LETTER, roomFor, spread, VerticalAxis, verticalOf } from "./axes";
import { type Drawing, Drawn } from "./drawing";
import styles from "./charts.module.css";

/** One line. The accent is what the chart is about; what it is compared with is grey and dashed. */
interface Line {
  key: string;
  label: string;
  look: "accent" | "past";
  values: readonly (number | null)[];
}

interface LineChartProps {
  label: string;
  list: string;
  lines: readonly Line[];
  /** Below the axis, one for each value. */
  ticks: readonly string[];
  /** One for each value: where it leads and what is said of it. */
  points: readonly { key: string; to: string; head: string; values: readonly string[] }[];
  written: (value: number) => string;
  /** Whether nothing is known between the values, as in a forecast. */
  straight?: boolean;
}

const TOP = 12;
const BOTTOM = 28;
const HEIGHT = 240;
const LOW = 200;
const NARROW = 480;
const LABEL = 16;

/** Values over time, from zero. Each line is named at its end. */
export function LineChart({ label, list, lines, ticks, points, written, straight = false }: LineChartProps) {
  const draw = (width: number): Drawing => {
    const height = width < NARROW ? LOW : HEIGHT;
    const floor = height - BOTTOM;
    const { y, ticks: at } = verticalOf(
      lines.flatMap(({ values }) => values),
      TOP,
      floor,
    );
    const left = roomFor(at.map(written));
    const named = Math.max(...lines.map(({ label: name }) => name.length)) * LETTER + 14;
    const right = width - named;
    const scale = scalePoint<number>()
      .domain(points.map((_, nth) => nth))
      .range([left + 6, right - 6]);
    const x = (nth: number) => scale(nth) ?? left;
    const path = line<number | null>()
      .defined((value) => value !== null)
      .x((_, nth) => x(nth))
      .y((value) => y(value ?? 0))
      .curve(straight ? curveLinear : curveMonotoneX);
    const ends = lines.map(({ values }) => {
      const last = values.findLastIndex((value) => value !== null);
      return { last, height: y(values[last] ?? 0) };
    });
    const names = spread(
      ends.map(({ height: end }) => end),
      LABEL,
      TOP,
      floor,
    );
    const step = points.length > 1 ? x(1) - x(0) : right - left;
    return {
      height,
      marks: (
        <>
          <VerticalAxis ticks={at} y={y} left={left} right={right} written={written} />
          <HorizontalAxis labels={ticks} x={x} y={height - 6} width={right - left} />
          {lines
            .toSorted((a, b) => Number(a.look === "accent") - Number(b.look === "accent"))
            .map(({ key, look, values }) => (
              <g key={key}>
                <path className={styles[`line-${look}`]} d={path(values) ?? ""} />
                {values.map((value, nth) => {
                  // A value between two gaps is no line.
                  const alone = (values[nth - 1] ?? null) === null && (values[nth + 1] ?? null) === null;
                  return value !== null && (look === "accent" || alone) ? (
                    <circle
                      key={points[nth]?.key}
                      className={styles[`dot-${look}`]}
                      cx={x(nth)}
                      cy={y(value)}
                      r={points.length > 40 ? 1.5 : 2.5}
                    />
                  ) : null;
                })}
              </g>
            ))}
          {lines.map(({ key, label: name, look }, nth) =>
            (ends[nth]?.last ?? -1) < 0 ? null : (
              <text key={key} className={styles[`name-${look}`]} x={right + 4} y={(names[nth] ?? 0) + 4}>
                {name}
              </text>
            ),
          )}
        </>
      ),
      points: points.map((point, nth) => ({
        ...point,
        x: x(nth) - step / 2,
        y: TOP,
        width: step,
        height: floor - TOP,
      })),
    };
  };
  return <Drawn label={label} list={list} draw={draw} />;
}
