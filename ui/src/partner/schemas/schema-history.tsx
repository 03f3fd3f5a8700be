import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { useLanguage } from "../../i18n";
import { localeOf } from "../../i18n/languages";
import { type Rules, useSchemaHistory } from "./queries";
import { changedRules, type Values, valuesOf } from "./values";

/** Who changed what of a schema, the newest version first. */
export function SchemaHistory({ schemaNumber }: { schemaNumber: number }) {
  const { t } = useTranslation(["schemas", "common"]);
  const { timeZone } = useConfig();
  const history = useSchemaHistory(schemaNumber);
  const shown = useShownRule();
  return (
    <Section title={t("history")} lead={t("historyLead")}>
      {history.isError && (
        <Notice tone="danger" action={<Button onClick={() => void history.refetch()}>{t("common:retry")}</Button>}>
          {t("historyFailed")}
        </Notice>
      )}
      <History>
        {history.data?.map((version, index) => {
          const before = history.data[index + 1];
          return (
            <HistoryLine
              key={version.version}
              what={version.version === 1 ? t("firstVersion") : t("versionNumber", { number: version.version })}
              who={version.createdBy}
              at={version.createdAt}
              timeZone={timeZone}
            >
              {before &&
                changedRules(before, version).map((name) => (
                  <span key={name}>
                    {shown(name, before).label}: {shown(name, before).text} → {shown(name, version).text}
                  </span>
                ))}
            </HistoryLine>
          );
        })}
      </History>
    </Section>
  );
}

/** A rule as people read it: its name in the form, and its value as the form shows it. */
function useShownRule() {
  const { t } = useTranslation("schemas");
  const language = useLanguage();
  const word = (value: unknown) => {
    if (typeof value === "boolean") return value ? t("yes") : t("no");
    return value === "" ? t("none") : String(value);
  };
  return (name: keyof Rules, rules: Rules): { label: string; text: string } => {
    const values: Values = valuesOf(rules, language);
    switch (name) {
      case "dailyFee":
        return {
          label: t("daily"),
          text: `${t("feeUber")} ${values.dailyFee.UBER}, ${t("feeBolt")} ${values.dailyFee.BOLT}, ${t("feeFreeNow")} ${values.dailyFee.FREENOW}`,
        };
      case "additionalCosts":
        return {
          label: t("additionalCosts"),
          text: values.additionalCosts.map((cost) => `${cost.name} ${cost.amount}`).join(", ") || t("none"),
        };
      case "costRates":
        return {
          label: t("costRates"),
          text:
            values.costRates
              .map((band) => `${t(band.type)} ${band.incomeFrom}–${band.incomeTo || t("noEnd")}: ${band.rate}`)
              .join("; ") || t("none"),
        };
      case "contractType":
      case "vatMethod":
      case "invoiceVat":
      case "payoutOf":
        return { label: t(name), text: t(rules[name]) };
      case "weekStartDay":
        return {
          label: t(name),
          // The second of January 2023 was a Monday.
          text: new Intl.DateTimeFormat(localeOf(language), { weekday: "long", timeZone: "UTC" }).format(
            Date.UTC(2023, 0, 1 + rules.weekStartDay),
          ),
        };
      default:
        return { label: t(name), text: word(values[name]) };
    }
  };
}
