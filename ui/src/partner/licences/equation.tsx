import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { numbers } from "../../format/formatters";
import { useLanguage } from "../../i18n";
import styles from "./licences.module.css";

interface EquationProps {
  price: { net: number; vat: number; gross: number; vatRate: number; reverseCharge: boolean };
  /** The price is of what was chosen before. */
  stale?: boolean;
}

/** Net and VAT add up to what is paid, under which stands the double rule. */
export function Equation({ price, stale = false }: EquationProps) {
  const { t } = useTranslation("licences");
  const language = useLanguage();
  const { plain, sign } = useAmounts();
  const rate = numbers(language, { maximumFractionDigits: 2 }).format(price.vatRate / 100);
  const parts = [
    { key: "net", label: t("net"), minor: price.net },
    { key: "vat", label: t("vat", { rate }), minor: price.vat },
    { key: "gross", label: t("gross"), minor: price.gross },
  ];
  return (
    <>
      <dl className={styles.equation} data-stale={stale || undefined}>
        {parts.map(({ key, label, minor }) => (
          <div key={key} className={key === "gross" ? styles.result : undefined}>
            <dt>{label}</dt>
            <dd>
              {key !== "net" && <span className={styles.sign}>{key === "vat" ? "+" : "="}</span>}
              <span className={key === "gross" ? styles.rule : undefined}>{plain(minor)}</span>
              <small>{sign}</small>
            </dd>
          </div>
        ))}
      </dl>
      {price.reverseCharge && <p className={styles.note}>{t("reverse")}</p>}
    </>
  );
}
