import { Link } from "react-router";
import { moment } from "../format/date";
import { count } from "../format/number";
import { useLanguage } from "../i18n";
import { useTranslation } from "../i18n/translation";
import { useAmounts } from "../session/amounts";
import { useConfig } from "../session/config";
import type { Result } from "./calls";
import { isNumber, written } from "./cells";
import styles from "./reports.module.css";

/** What a report shows, row by row, with the totals of all of it. */
export function ResultTable({ of, stale = false }: { of: Result; stale?: boolean }) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { sign } = useAmounts();
  const { title, columns, rows, totals, totalsOnce, drivers, computedAt, rowsLeftOut } = of;
  // Rows of an older question are dimmed until newer ones are here.
  const old = stale ? { "aria-disabled": true } : {};
  const driverAt = columns.findIndex(({ kind }) => kind === "driver");
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways */}
      <div className={styles.tableBox} role="region" aria-label={title} tabIndex={0} data-stale={stale || undefined}>
        <table className={styles.table}>
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr {...old}>
              {columns.map(({ key, title: head, kind }) => (
                <th key={key} scope="col" data-number={isNumber(kind) || undefined}>
                  {kind === "money" ? `${head},${sign}` : head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, nth) => (
              <tr key={nth} {...old}>
                {columns.map((column, place) => {
                  const { key, kind } = column;
                  const text = written(row?.[place], column, language);
                  const id = place === driverAt ? drivers?.[nth] : undefined;
                  return (
                    <td key={key} data-number={isNumber(kind) || undefined}>
                      {id ? <Link to={`/drivers/${id}`}>{text}</Link> : text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          {totals && rows.length > 0 && (
            <tfoot>
              <tr {...old}>
                {columns.map((column, place) => {
                  const { key, kind } = column;
                  const text = written(totals[place], column, language);
                  return place === 0 && text === "" ? (
                    <th key={key} scope="row">
                      {t(totalsOnce ? "totalOnce" : "total")}
                    </th>
                  ) : (
                    <td key={key} data-number={isNumber(kind) || undefined}>
                      {text}
                    </td>
                  );
                })}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <p className={styles.note}>
        {[
          t("rows", { count: rows.length }),
          ...(rowsLeftOut > 0 ? [t("rowsLeft", { number: count(rowsLeftOut, language) })] : []),
          t("computed", { at: moment(computedAt, language, timeZone) }),
        ].join(" · ")}
      </p>
    </>
  );
}
