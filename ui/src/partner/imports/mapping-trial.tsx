import { useTranslation } from "../../i18n/translation";
import type { components } from "../../api/schema";
import { Notice } from "../../components/notice";
import { daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { TriedRow, useTrial } from "./mapping-queries";
import { useKeyText, useMoney } from "./names";

type TypeCode = components["schemas"]["ImportSum"]["type"];

const SHOWN = 8;
const needed = ["provider", "amount", "date", "driver", "type"] as const;

/** How the first rows will be read, or what the description still lacks. */
export function MappingTrial({ trial }: { trial: ReturnType<typeof useTrial> }) {
  const { t } = useTranslation(["imports", "faults"]);
  const missing = needed.filter((field) => trial.error?.fields.some(({ name }) => name === field));
  const others = trial.error?.fields.some(({ name }) => name.startsWith("columns."));
  const list = [...missing.map((field) => t(`missing_${field}`)), ...(others ? [t("missing_column")] : [])].join("; ");
  return (
    <section className="mapping-part" aria-busy={trial.isFetching}>
      <h2>{t("mapTry")}</h2>
      {trial.error ? (
        list ? (
          <Notice tone="info">{t("mapMissing", { list })}</Notice>
        ) : (
          <Notice tone="danger">
            {t("mapTryFailed")} {t(`faults:${trial.error.code}`, { replace: trial.error.params })}
          </Notice>
        )
      ) : trial.data?.length === 0 ? (
        <p className="imports-quiet">{t("mapTryNone")}</p>
      ) : (
        trial.data && (
          <>
            <p className="imports-quiet">{t("mapTryNote")}</p>
            <TriedRows rows={trial.data.slice(0, SHOWN)} />
          </>
        )
      )}
    </section>
  );
}

function TriedRows({ rows }: { rows: readonly TriedRow[] }) {
  const { t } = useTranslation(["imports", "transactions"]);
  const language = useLanguage();
  const { plain, sign } = useMoney();
  const keysOf = useKeyText();
  return (
    <table role="table" className="mapping-tried">
      <caption className="sr-only">{t("mapTry")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col">{t("line")}</th>
          <th scope="col">{t("rowDate")}</th>
          <th scope="col">{t("rowWho")}</th>
          <th scope="col">{t("type")}</th>
          <th scope="col">{t("amountIn", { currency: sign })}</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={row.line}>
            <th role="rowheader" scope="row">
              {count(row.line, language)}
            </th>
            {row.rowErrors.length > 0 ? (
              <td role="cell" colSpan={4} className="mapping-row-error">
                {row.rowErrors.map(({ code, column, found }) => (
                  <p key={code + column}>
                    {t(`rowError_${code}`)} ({[column, found || t("nothingFound")].filter(Boolean).join(": ")})
                  </p>
                ))}
              </td>
            ) : row.skipped ? (
              <td role="cell" colSpan={4} className="mapping-skipped">
                {t(`skipped_${row.skipped}`)}
              </td>
            ) : (
              <>
                <td role="cell">
                  {daySpan(row.on, row.on, language)} {row.clock}
                </td>
                <td role="cell">{[row.name, row.keys.length > 0 && keysOf(row.keys)].filter(Boolean).join(", ")}</td>
                <td role="cell">{t(`transactions:type_${row.type as TypeCode}`)}</td>
                <td role="cell">
                  <b>{plain(row.amount)}</b>
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
