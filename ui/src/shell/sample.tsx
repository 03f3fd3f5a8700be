import { useTranslation } from "../i18n/translation";
import { useConfig } from "../session/config";
import { currencySign, money } from "../format/money";
import { useLanguage } from "../i18n";

const LINES = [
  { text: "rides", minor: 452800n },
  { text: "cash", minor: -103350n },
  { text: "fees", minor: -61620n },
] as const;
const PAYABLE = 287830n;

/** What the product promises, shown on an amount that adds up and is marked as an example. */
export function Sample() {
  const { t } = useTranslation("signIn");
  const language = useLanguage();
  const { currency } = useConfig();
  return (
    <aside className="sample">
      <p className="sample-promise">
        {t("promise")}
        <span>{t("promisePlace")}</span>
      </p>
      <div className="sample-card">
        <div className="sample-head">
          <span>{t("payable")}</span>
          <span className="sample-mark">{t("sample")}</span>
        </div>
        <p className="sample-amount">
          {money(PAYABLE, language)}
          <small>{currencySign(currency, language)}</small>
        </p>
        <p className="sample-when">{t("when")}</p>
        <div className="sample-steps" aria-hidden>
          <i />
          <i />
          <i />
          <i />
        </div>
        <dl>
          {LINES.map((line) => (
            <div key={line.text}>
              <dt>{t(line.text)}</dt>
              <dd>{(line.minor > 0n ? "+" : "") + money(line.minor, language)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </aside>
  );
}
