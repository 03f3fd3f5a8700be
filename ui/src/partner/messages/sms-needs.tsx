import { useTranslation } from "../../i18n/translation";
import { Notice } from "../../components/notice";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { languageNames } from "../../i18n/languages";
import { useConfig } from "../../session/config";
import type { Preview } from "./queries";
import styles from "./messages.module.css";

/** How many parts the SMS of a message have, what they cost, and whether the month has so many left. */
export function SMSNeeds({ sms }: { sms: NonNullable<Preview["sms"]> }) {
  const { t } = useTranslation("sms");
  const language = useLanguage();
  const { currency } = useConfig();
  const { recipients, parts, left, most, languages } = sms;
  const cost = money(BigInt(sms.cost), language) + currencySign(currency, language);
  return (
    <div className={styles.needs}>
      <p>{t("needs", { recipients, parts, cost })}</p>
      {languages.length > 1 && (
        <p className={styles.quiet}>
          {languages
            .map((one) =>
              t("language", { language: languageNames[one.language], recipients: one.recipients, parts: one.parts }),
            )
            .join(" · ")}
        </p>
      )}
      {parts > left ? (
        <Notice tone="danger">{t("over", { left, most })}</Notice>
      ) : (
        <p className={styles.quiet}>{t("left", { left, most })}</p>
      )}
      <p className={styles.quiet}>
        {languages.some(({ unicode }) => unicode) && t("letters")} {t("quiet")}
      </p>
    </div>
  );
}
