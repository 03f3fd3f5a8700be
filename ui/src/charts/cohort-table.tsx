import { Link } from "react-router";
import { useLanguage } from "../i18n";
import { count } from "../format/number";
import { share } from "../format/share";
import styles from "./charts.module.css";

interface Cohort {
  key: string;
  label: string;
  to: string;
  size: number;
  /** Of each week since they began; null: that week is not over yet. */
  weeks: readonly ({ drivers: number; share: number } | null)[];
}

interface CohortTableProps {
  caption: string;
  heads: { cohort: string; size: string; week: (nth: number) => string };
  partOf: (drivers: number, of: number) => string;
  cohorts: readonly Cohort[];
}

/** Who began together and who still drives: the share is in each cell as a text, and the stronger it is the darker. */
export function CohortTable({ caption, heads, partOf, cohorts }: CohortTableProps) {
  const language = useLanguage();
  const weeks = Math.max(0, ...cohorts.map(({ weeks: all }) => all.length));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways
    <div className={styles.tableBox} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles.cohorts}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{heads.cohort}</th>
            <th scope="col" data-kind="count">
              {heads.size}
            </th>
            {Array.from({ length: weeks }, (_, nth) => (
              <th key={nth} scope="col" data-kind="share">
                {heads.week(nth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ key, label, to, size, weeks: all }) => (
            <tr key={key}>
              <th scope="row">
                <Link to={to}>{label}</Link>
              </th>
              <td data-kind="count">{count(size, language)}</td>
              {Array.from({ length: weeks }, (_, nth) => {
                const cell = all[nth];
                if (!cell) return <td key={nth} />;
                return (
                  <td
                    key={nth}
                    data-kind="share"
                    title={partOf(cell.drivers, size)}
                    style={{ "--tint": `${Math.round(cell.share / 100)}%` } as React.CSSProperties}
                  >
                    {share(Math.round(cell.share / 100) * 100, language)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
