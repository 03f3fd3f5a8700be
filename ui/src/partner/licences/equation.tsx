import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { numbers } from "../../format/formatters";
import { useLanguage } from "../../i18n";
import styles from "./licences.module.css";

interface EquationProps {
  price: { net: number; vat: number; gross: number; vatRate: number; reverseCharge: boolean };
  /** The price is of what was chosen before. */
  stale?: boolean;
  paid?: boolean;
}

/** Net and VAT add up to what is paid; while that is to be done, the double rule stands under it. */
export function Equation({ price, stale = false, paid = false }: EquationProps) {
  const { t } = useTranslation("licences");
  const language = useLanguage();
  const { plain, sign } = useAmounts();
  const rate = numbers(language, { maximumFractionDigits: 2 }).format(price.vatRate / 100);
  const parts = [
    { key: "net", label: t("net"), minor: price.net },
    { key: "vat", label: t("vat", { rate }), minor: price.vat },
    { key: "gross", label: t(paid ? "paid" : "gross"), minor: price.gross },
  ];
  return (
    <>
      <dl className={styles.equation} data-stale={stale || undefined}>
        {parts.map(({ key, label, minor }) => (
          <div key={key} className={key === "gross" ? styles.result : undefined}>
            <dt>{label}</dt>
            <dd>
              {key !== "net" && <span className={styles.sign}>{key === "vat" ? "+" : "="}</span>}
              <span className={key === "gross" && !paid ? styles.rule : undefined}>{plain(minor)}</span>
              <small>{sign}</small>
            </dd>
          </div>
        ))}
      </dl>
      {price.reverseCharge && <p className={styles.note}>{t("reverse")}</p>}
    </>
  );
}
