import { useId } from "react";
import { useLanguage } from "../i18n";
import { useTranslation } from "../i18n/translation";
import { useAmounts } from "../session/amounts";
import type { DriverFuel } from "./calls";
import { litres, weekOf } from "./figures";
import styles from "./fuel.module.css";

/** What the next settlement charges, and what it gives back of it. */
export function NextCharge({ next }: { next: DriverFuel["next"] }) {
  const { t } = useTranslation("fuel");
  const { plain, full, sign } = useAmounts();
  const id = useId();
  return (
    <section className={styles.next} aria-labelledby={id}>
      <h2 id={id}>{next ? t("nextTitle", { week: weekOf(next.period) }) : t("nextNone")}</h2>
      {next && (
        <>
          <p className={styles.amount}>
            {plain(next.cost)}
            <small>{sign}</small>
          </p>
          {next.refund > 0 && (
            <p>{t("nextRefund", { refund: full(next.refund), rest: full(next.cost - next.refund) })}</p>
          )}
          <p>{t("nextNote")}</p>
        </>
      )}
    </section>
  );
}

/** Litres and money of the days on screen. */
export function Totals({ of: { millilitres, gross } }: { of: DriverFuel }) {
  const { t } = useTranslation("fuel");
  const language = useLanguage();
  const { full } = useAmounts();
  return (
    <dl className={styles.totals}>
      <div>
        <dt>{t("totalLitres")}</dt>
        <dd>{t("litres", { litres: litres(millilitres, language) })}</dd>
      </div>
      <div>
        <dt>{t("totalGross")}</dt>
        <dd>{full(gross)}</dd>
      </div>
    </dl>
  );
}
