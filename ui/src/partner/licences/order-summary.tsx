import { useId } from "react";
import { useTranslation } from "../../i18n/translation";
import { moment } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import { Equation } from "./equation";
import { Invoices } from "./invoices";
import type { Order } from "./queries";
import styles from "./licences.module.css";

/** What was ordered, by whom, for how much, and its invoices. */
export function OrderSummary({ order }: { order: Order }) {
  const { t } = useTranslation("licences");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const id = useId();
  const { buyer } = order;
  const flat = buyer.apartmentNumber && `/${buyer.apartmentNumber}`;
  const address = `${buyer.taxId}, ${buyer.street} ${buyer.houseNumber}${flat}, ${buyer.postCode} ${buyer.city}`;
  return (
    <section className={styles.summary} aria-labelledby={id}>
      <h2 id={id}>{t("orderOf", { number: order.number })}</h2>
      <p className={styles.note}>{moment(order.createdAt, language, timeZone)}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{t("package")}</dt>
          <dd>{t("pieces", { quantity: order.quantity, name: order.packageNames[language] ?? "" })}</dd>
        </div>
        <div>
          <dt>{t("totalUnits")}</dt>
          <dd>{count(order.units, language)}</dd>
        </div>
        <div>
          <dt>{t("buyerLine")}</dt>
          <dd>
            {buyer.name}
            <small>{address}</small>
          </dd>
        </div>
      </dl>
      <Equation price={order} paid={order.paidAt !== null} />
      {order.documents.length > 0 && (
        <>
          <h3>{t("documents")}</h3>
          <Invoices documents={order.documents} />
        </>
      )}
    </section>
  );
}
