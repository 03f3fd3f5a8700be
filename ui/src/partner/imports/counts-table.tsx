import { useTranslation } from "../../i18n/translation";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Counts } from "./queries";

const columns = ["all", "new", "unassigned", "ignored", "existing", "failed", "fleet", "replaced"] as const;

/** What becomes of a file's rows and people: every column but the first adds up to it. */
export function CountsTable({ counts }: { counts: Counts }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { drivers, transactions, skipped } = counts;
  const shown = columns.filter((column) => (column !== "fleet" && column !== "replaced") || transactions[column] > 0);
  const rows: { name: string; values: Partial<Record<(typeof columns)[number], number>> }[] = [
    { name: t("transactions"), values: transactions },
    { name: t("drivers"), values: drivers },
  ];
  return (
    <div className="imports-counts">
      <table>
        <caption className="sr-only">{t("counts")}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t("of")}</span>
            </th>
            {shown.map((column) => (
              <th key={column} scope="col">
                {t(`count_${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {shown.map((column) => {
                const value = values[column];
                return (
                  <td
                    key={column}
                    data-column={column}
                    data-zero={!value || undefined}
                    data-head={t(`count_${column}`)}
                  >
                    {value === undefined ? "–" : count(value, language)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {t("driversNote")} {transactions.fleet > 0 && t("fleetNote")} {skipped > 0 && t("skipped", { number: skipped })}
      </p>
    </div>
  );
}
