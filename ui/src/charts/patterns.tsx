import { useId } from "react";
import styles from "./charts.module.css";

/** How parts differ without colour, the strongest first. */
export const FILLS = ["solid", "stripes", "grey", "dots", "cross", "light"] as const;
export type Fill = (typeof FILLS)[number];

const SIZE = 6;

/** The fills of one chart. Each drawing has its own: a picture carries them with it. */
export function useFills() {
  const id = useId().replaceAll(/[^\w]/g, "");
  const name = (fill: Fill) => `${id}-${fill}`;
  const tile = (fill: Fill, marks: React.ReactNode) => (
    <pattern id={name(fill)} width={SIZE} height={SIZE} patternUnits="userSpaceOnUse">
      <rect className={styles.ground} width={SIZE} height={SIZE} />
      {marks}
    </pattern>
  );
  const defs = (
    <defs>
      {tile("stripes", <path className={styles.ink} d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2" />)}
      {tile("dots", <circle className={styles.dot} cx={3} cy={3} r={1.3} />)}
      {tile("cross", <path className={styles.greyInk} d="M0,0 L6,6 M6,0 L0,6" />)}
    </defs>
  );
  const solid: Partial<Record<Fill, string | undefined>> = {
    solid: styles.solid,
    grey: styles.grey,
    light: styles.light,
  };
  /** What a mark with this fill has. */
  const of = (fill: Fill) =>
    fill in solid ? { className: solid[fill] } : { className: styles.patterned, fill: `url(#${name(fill)})` };
  return { defs, of };
}
