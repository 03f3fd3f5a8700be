import { extentOf, LETTER, linear } from "./axes";
import { type Drawing, Drawn } from "./drawing";
import styles from "./charts.module.css";

interface Row {
  key: string;
  /** At its left. */
  label: string;
  value: number;
  /** At its end. */
  text: string;
  to: string;
  said: readonly string[];
  /** Whether it is the one that the finding is about. */
  strong?: boolean;
}

interface RowChartProps {
  label: string;
  list: string;
  rows: readonly Row[];
}

const LINE = 30;
const BAR = 16;

/** Bars one below the other, with their names at the left and their values at the end. */
export function RowChart({ label, list, rows }: RowChartProps) {
  const draw = (width: number): Drawing => {
    const left = Math.ceil(Math.max(1, ...rows.map(({ label: name }) => name.length)) * (LETTER + 0.4)) + 12;
    const room = Math.ceil(Math.max(1, ...rows.map(({ text }) => text.length)) * (LETTER + 0.6)) + 12;
    const scale = linear(extentOf(rows.map(({ value }) => value)), [left, Math.max(left + 40, width - room)]);
    const zero = scale(0);
    return {
      height: rows.length * LINE + 4,
      marks: (
        <>
          <line className={styles.zero} x1={zero + 0.5} x2={zero + 0.5} y1={0} y2={rows.length * LINE + 4} />
          {rows.map(({ key, label: name, value, text, strong }, nth) => {
            const middle = nth * LINE + LINE / 2 + 2;
            const end = scale(value);
            return (
              <g key={key}>
                <text className={styles.name} x={left - 10} y={middle + 4} textAnchor="end">
                  {name}
                </text>
                {value !== 0 && (
                  <rect
                    className={strong ? styles.solid : styles.grey}
                    x={Math.min(zero, end)}
                    y={middle - BAR / 2}
                    width={Math.max(1, Math.abs(end - zero))}
                    height={BAR}
                  />
                )}
                <text className={strong ? styles.sumStrong : styles.sum} x={Math.max(zero, end) + 6} y={middle + 4}>
                  {text}
                </text>
              </g>
            );
          })}
        </>
      ),
      points: rows.map(({ key, to, label: head, said }, nth) => ({
        key,
        to,
        head,
        values: said,
        x: 0,
        y: nth * LINE + 2,
        width,
        height: LINE,
      })),
    };
  };
  return <Drawn label={label} list={list} draw={draw} />;
}
