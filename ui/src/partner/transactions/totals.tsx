import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import type { Page } from "./queries";

/** The totals of the whole filter as an equation: what is counted adds up to the result, the rest stands apart. */
export function Totals({ page }: { page: Page }) {
  const { t } = useTranslation("transactions");
  const language = useLanguage();
  const { currency } = useConfig();
  const counted = page.totals.filter((total) => total.counted);
  const apart = page.totals.filter((total) => !total.counted);
  const written = (sum: number) => money(BigInt(sum), language);
  return (
    <section className="transactions-totals" aria-label={t("totals")}>
      <h2>{t("totals")}</h2>
      <dl>
        {counted.map(({ category, sum }, index) => (
          <div key={category}>
            <dt>{t(`category_${category}`)}</dt>
            <dd>
              {index > 0 && <span className="transactions-sign">{sum < 0 ? "−" : "+"}</span>}
              {index > 0 ? written(Math.abs(sum)) : written(sum)}
            </dd>
          </div>
        ))}
        <div className="transactions-result">
          <dt>{t("result")}</dt>
          <dd>
            <span className="transactions-sign">{"="}</span>
            <span className="transactions-rule">{written(page.sum)}</span>
            <small>{currencySign(currency, language)}</small>
          </dd>
        </div>
      </dl>
      {apart.length > 0 && (
        <p>
          {t("notCounted")}
          {": "}
          {apart.map(({ category, sum }) => `${t(`category_${category}`)} ${written(sum)}`).join(", ")}
        </p>
      )}
    </section>
  );
}
