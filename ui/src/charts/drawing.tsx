import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router";
import styles from "./charts.module.css";

/** A place of a chart that can be pointed at. */
interface Point {
  key: string;
  /** Where the rows behind it are. */
  to: string;
  /** What it is, with its exact values: for those who listen, and for whoever points at it. */
  head: string;
  values: readonly string[];
  /** Where it is, in the coordinates of the drawing. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is drawn at a width. */
export interface Drawing {
  height: number;
  marks: ReactNode;
  points: readonly Point[];
}

/** Before anything was measured, as in a test. */
const WIDTH = 640;
const LEAST = 240;

function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(WIDTH);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const measure = () => setWidth((before) => Math.max(LEAST, Math.round(element.clientWidth) || before));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}

interface DrawnProps {
  /** The finding: what a person who listens hears of the whole. */
  label: string;
  /** What its points are, for those who listen. */
  list: string;
  draw: (width: number) => Drawing;
}

/**
 * Draws at the width that there is. The points lie over the picture as links: only one of them is in the order of the Tab key,
 * and the arrow keys go on from there.
 */
export function Drawn({ label, list, draw }: DrawnProps) {
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root);
  const { height, marks, points } = draw(width);
  const [chosen, setChosen] = useState<string>();
  const at = points.findIndex(({ key }) => key === chosen);
  const current = at < 0 ? points.length - 1 : at;
  const links = () => [...(root.current?.querySelectorAll<HTMLElement>("ol a") ?? [])];
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: current + 1,
      ArrowDown: current + 1,
      ArrowLeft: current - 1,
      ArrowUp: current - 1,
      Home: 0,
      End: points.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    links()[Math.min(points.length - 1, Math.max(0, to))]?.focus();
  };
  const part = (of: number, whole: number) => `${((100 * of) / whole).toFixed(3)}%`;
  const side = (x: number) => (x < width / 3 ? "start" : x > (2 * width) / 3 ? "end" : "middle");
  return (
    <div ref={root} className={styles.drawn}>
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={label}>
        {marks}
      </svg>
      <ol className={styles.points} aria-label={list} onKeyDown={move}>
        {points.map(({ key, to, head, values, ...box }, nth) => {
          // What lies half beside the picture would make the page wider than the screen.
          const [from, until] = [Math.max(0, box.x), Math.min(width, box.x + box.width)];
          return (
            <li
              key={key}
              style={{
                left: part(from, width),
                top: part(box.y, height),
                width: part(until - from, width),
                height: part(box.height, height),
              }}
            >
              <Link
                to={to}
                tabIndex={nth === current ? 0 : -1}
                aria-label={[`${head}:`, values.join(", ")].join(" ")}
                onFocus={() => setChosen(key)}
              >
                <span aria-hidden className={styles.value} data-side={side(box.x + box.width / 2)}>
                  <b>{head}</b>
                  {values.map((value) => (
                    <span key={value}>{value}</span>
                  ))}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
