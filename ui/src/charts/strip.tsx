import { LETTER } from "./axes";
import { type Drawing, Drawn } from "./drawing";
import { useFills } from "./patterns";
import styles from "./charts.module.css";

/** How much of a week is there: all of it, a part, nothing, or it came after the week was settled. */
export type Cover = "complete" | "partial" | "missing" | "late";

interface StripProps {
  label: string;
  list: string;
  rows: readonly {
    key: string;
    label: string;
    cells: readonly { key: string; cover: Cover; to: string; head: string; said: string }[];
  }[];
  ticks: readonly string[];
  names: readonly { cover: Cover; label: string }[];
}

const LINE = 30;
const CELL = 18;
const HEAD = 26;
const FOOT = 24;

/** One row of cells for each app: a look along it finds the gaps. */
export function Strip({ label, list, rows, ticks, names }: StripProps) {
  const fills = useFills();
  const draw = (width: number): Drawing => {
    const left = Math.ceil(Math.max(1, ...rows.map(({ label: name }) => name.length)) * (LETTER + 0.4)) + 12;
    const step = (width - left) / Math.max(1, ticks.length);
    const wide = Math.max(3, Math.min(28, step - 3));
    const placed = (nth: number) => left + nth * step + (step - wide) / 2;
    const bottom = HEAD + rows.length * LINE;
    const every = Math.max(1, Math.ceil((Math.max(1, ...ticks.map(({ length }) => length)) * LETTER + 12) / step));
    const last = ticks.length - 1;
    let at = 0;
    return {
      height: bottom + FOOT,
      marks: (
        <>
          {fills.defs}
          {names.map(({ cover, label: name }) => {
            const from = at;
            at += 18 + name.length * (LETTER + 0.4) + 16;
            return (
              <g key={cover}>
                <Cell cover={cover} fills={fills} x={from} y={2} width={12} height={12} />
                <text className={styles.name} x={from + 18} y={13}>
                  {name}
                </text>
              </g>
            );
          })}
          {rows.map(({ key, label: name, cells }, row) => (
            <g key={key}>
              <text className={styles.name} x={left - 10} y={HEAD + row * LINE + LINE / 2 + 4} textAnchor="end">
                {name}
              </text>
              {cells.map(({ key: cell, cover }, nth) => (
                <Cell
                  key={cell}
                  cover={cover}
                  fills={fills}
                  x={placed(nth)}
                  y={HEAD + row * LINE + (LINE - CELL) / 2}
                  width={wide}
                  height={CELL}
                />
              ))}
            </g>
          ))}
          {ticks.map((tick, nth) =>
            (last - nth) % every === 0 ? (
              <text
                key={tick}
                className={styles.tick}
                x={nth === last ? width : placed(nth) + wide / 2}
                y={bottom + 16}
                textAnchor={nth === last ? "end" : "middle"}
              >
                {tick}
              </text>
            ) : null,
          )}
        </>
      ),
      points: rows.flatMap(({ key, cells }, row) =>
        cells.map(({ key: cell, to, head, said }, nth) => ({
          key: `${key} ${cell}`,
          to,
          head,
          values: [said],
          x: left + nth * step,
          y: HEAD + row * LINE,
          width: step,
          height: LINE,
        })),
      ),
    };
  };
  return <Drawn label={label} list={list} draw={draw} />;
}

interface CellProps {
  cover: Cover;
  fills: ReturnType<typeof useFills>;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Full, striped, empty with a line through it, or full with a mark at its top. */
function Cell({ cover, fills, x, y, width, height }: CellProps) {
  const box = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 };
  const fill = cover === "partial" ? "stripes" : "grey";
  return (
    <g>
      {cover === "missing" ? (
        <>
          <rect className={styles.hole} {...box} />
          <line className={styles.hole} x1={x + 2} x2={x + width - 2} y1={y + height - 2} y2={y + 2} />
        </>
      ) : (
        <rect {...fills.of(fill)} {...box} />
      )}
      {cover === "late" && <circle className={styles.mark} cx={x + width / 2} cy={y + height / 2} r={2.5} />}
    </g>
  );
}
