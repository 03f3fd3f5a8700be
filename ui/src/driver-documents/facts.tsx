import { useTranslation } from "../i18n/translation";
import { day, daySpan } from "../format/date";
import { useLanguage } from "../i18n";
import { useConfig } from "../session/config";
import type { Shown } from "./calls";
import styles from "./documents.module.css";

/** What is known of a document. */
export function DocumentFacts({ of }: { of: Shown }) {
  const { t } = useTranslation("driverDocuments");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const facts: [string, string][] = [
    [t("validTo"), of.validTo ? daySpan(of.validTo, of.validTo, language) : ""],
    [t("number"), of.number],
    [t("entered"), day(of.enteredAt, language, timeZone)],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
