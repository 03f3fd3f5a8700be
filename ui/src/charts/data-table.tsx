import { Link } from "react-router";
import { useLanguage } from "../i18n";
import { textOf, type Table } from "./values";
import styles from "./charts.module.css";

interface DataTableProps {
  caption: string;
  table: Table;
  /** Below the rows, in the order of the columns. */
  totals?: Table["rows"][number] | undefined;
}

/** Exact numbers in rows: words left, numbers right. */
export function DataTable({ caption, table: { columns, rows, links }, totals }: DataTableProps) {
  const language = useLanguage();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways
    <div className={styles.tableBox} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, kind }) => (
              <th key={key} scope="col" data-kind={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, nth) => {
            const to = links?.[nth];
            return (
              // Rows have no id of their own, and never change places.
              <tr key={nth}>
                {columns.map(({ key, kind }, place) => {
                  const text = textOf(row[place] ?? null, kind, language);
                  return place === 0 ? (
                    <th key={key} scope="row" data-kind={kind}>
                      {to ? <Link to={to}>{text}</Link> : text}
                    </th>
                  ) : (
                    <td key={key} data-kind={kind}>
                      {text}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map(({ key, kind }, place) => {
                const cell = totals[place] ?? null;
                const text = cell === null ? "" : textOf(cell, kind, language);
                return place === 0 ? (
                  <th key={key} scope="row" data-kind={kind}>
                    {text}
                  </th>
                ) : (
                  <td key={key} data-kind={kind}>
                    {text}
                  </td>
                );
              })}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
