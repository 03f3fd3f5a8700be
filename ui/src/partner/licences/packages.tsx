import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { useLanguage } from "../../i18n";
import type { Package } from "./queries";
import styles from "./licences.module.css";

interface PackagesProps {
  packages: readonly Package[];
  chosen: string;
  onChoose: (code: string) => void;
}

/** The packages as cards, of which one is chosen. */
export function Packages({ packages, chosen, onChoose }: PackagesProps) {
  const { t } = useTranslation("licences");
  return (
    <fieldset className={styles.packages}>
      <legend>{t("package")}</legend>
      <div>
        {packages.map((one) => (
          <Card key={one.code} one={one} chosen={one.code === chosen} onChoose={() => onChoose(one.code)} />
        ))}
      </div>
    </fieldset>
  );
}

function Card({ one, chosen, onChoose }: { one: Package; chosen: boolean; onChoose: () => void }) {
  const { t } = useTranslation("licences");
  const language = useLanguage();
  const { plain, sign, full } = useAmounts();
  const { units, netPrice, minQuantity: min, maxQuantity: max } = one;
  // The price of one settlement, rounded half up to the minor unit, is only for comparing packages.
  const each = Math.floor((2 * netPrice + units) / (2 * units));
  return (
    <label className={styles.card} data-chosen={chosen || undefined}>
      <span className={styles.cardHead}>
        <input type="radio" name="package" checked={chosen} onChange={onChoose} />
        <b>{one.names[language] ?? one.code}</b>
      </span>
      <span className={styles.cardPrice}>
        <span>{plain(netPrice)}</span>
        <small>{sign}</small>
      </span>
      <small>{t("piece")}</small>
      <span>{t(each * units === netPrice ? "each" : "eachAbout", { price: full(each) })}</span>
      <small>{t("between", { min, max })}</small>
    </label>
  );
}
