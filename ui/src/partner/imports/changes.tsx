import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Notice } from "../../components/notice";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useMoney } from "./names";
import type { Preview } from "./queries";

/** Weeks that are imported already and that the file reports with other amounts: per driver what stands, what would, and the change. */
export function Changes({ changes }: { changes: Preview["changes"] }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { plain, sign } = useMoney();
  if (changes.count === 0) return null;
  const signed = (minor: number) => (minor > 0 ? `+${plain(minor)}` : plain(minor));
  const more = changes.count - changes.drivers.length;
  return (
    <section className="imports-box imports-changes" aria-label={t("restatedTitle")}>
      <h3>{t("restatedTitle")}</h3>
      {changes.partly === 0 && <p>{t("restatedLead")}</p>}
      <div className="imports-counts">
        <table>
          <caption className="sr-only">{t("restatedTitle")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("restatedDriver")}</th>
              {(["restatedOld", "restatedNew", "restatedChange"] as const).map((head) => (
                <th key={head} scope="col">
                  {t(head)} {sign}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.drivers.map((one) => (
              <tr key={`${one.provider} ${one.driverUUID}${one.identityId}${one.name}`}>
                <th scope="row">
                  {one.driverUUID ? (
                    <Link to={`/transactions/details/${one.driverUUID}`}>{one.name || t("noName")}</Link>
                  ) : (
                    one.name || t("restatedFleet")
                  )}
                  <small>
                    {daySpan(one.from, one.to, language)}
                    {one.partly && `, ${t("restatedPart")}`}
                    {one.settled > 0 && `, ${t("restatedSettled")}`}
                  </small>
                </th>
                <td data-head={t("restatedOld")}>{plain(one.old)}</td>
                <td data-head={t("restatedNew")}>{plain(one.new)}</td>
                <td data-head={t("restatedChange")}>
                  <b>{signed(one.new - one.old)}</b>
                </td>
              </tr>
            ))}
          </tbody>
          {changes.count > 1 && (
            <tfoot>
              <tr>
                <th scope="row">{t("restatedTotal")}</th>
                <td data-head={t("restatedOld")}>{plain(changes.old)}</td>
                <td data-head={t("restatedNew")}>{plain(changes.new)}</td>
                <td data-head={t("restatedChange")}>
                  <b>{signed(changes.new - changes.old)}</b>
                </td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {more > 0 && <p className="imports-quiet">{t("restatedMore", { number: more })}</p>}
      <ChangedRows rows={changes.rows} />
      {changes.partly > 0 && <Notice tone="warning">{t("restatedPartly")}</Notice>}
      <p className="imports-quiet">{t("besideNote")}</p>
    </section>
  );
}

/** Transactions that the provider calls by the same id and reports otherwise. */
function ChangedRows({ rows }: { rows: Preview["changes"]["rows"] }) {
  const { t } = useTranslation(["imports", "transactions"]);
  const language = useLanguage();
  const { plain } = useMoney();
  if (rows.length === 0) return null;
  return (
    <details>
      <summary>{t("restatedRows")}</summary>
      <ul className="imports-each">
        {rows.map((row) => (
          <li key={`${row.line} ${row.type} ${row.old}`}>
            {t("restatedLine")} {row.line}, {row.name}, {t(`transactions:type_${row.type}`)}: {plain(row.old)} →{" "}
            {plain(row.new)}
            {row.oldOn !== row.newOn && `, ${t("restatedDay", { day: daySpan(row.newOn, row.newOn, language) })}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
