import { useTranslation } from "../../i18n/translation";
import { newOf, useMoney } from "./names";
import type { Sum } from "./queries";

/** The money of new rows by type, adding up to what drivers are due by it. */
export function MoneyTable({ title, totals }: { title: string; totals: readonly Sum[] }) {
  const { t } = useTranslation(["imports", "transactions"]);
  const { plain, sign } = useMoney();
  const fresh = totals.filter(({ newCount }) => newCount > 0);
  return (
    <section className="imports-box">
      <h3>{title}</h3>
      {fresh.length === 0 ? (
        <p className="imports-quiet">{t("moneyNone")}</p>
      ) : (
        <table className="imports-money">
          <caption className="sr-only">{title}</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">{t("type")}</th>
              <th scope="col">{t("amountIn", { currency: sign })}</th>
            </tr>
          </thead>
          <tbody>
            {[...fresh.filter(({ counted }) => counted), ...fresh.filter(({ counted }) => !counted)].map((one) => (
              <tr key={one.type} {...(!one.counted && { className: "imports-informs" })}>
                <th scope="row">
                  {t(`transactions:type_${one.type}`)}
                  {!one.counted && <small>{t("transactions:notCounted")}</small>}
                </th>
                <td>{plain(one.newSum)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t("total", { currency: sign })}</th>
              <td>
                <span className="imports-rule">{plain(newOf(fresh).sum)}</span>
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}
