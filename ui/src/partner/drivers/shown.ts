import { useTranslation } from "../../i18n/translation";
import { isLanguage, languageNames } from "../../i18n/languages";
import { frequencies } from "./driver-fields";
import { useSchemaChoices } from "./queries";

/** How a value of a field reads in words. */
export function useShown() {
  const { t } = useTranslation("drivers");
  const schemas = useSchemaChoices().data;
  return (field: string, value: string | number | boolean): string => {
    const text = String(value);
    const often = frequencies.find((frequency) => String(frequency.value) === (text || "0"));
    if (field === "settlementFrequency" && often) return t(often.label);
    if (field === "summaryLanguage") return isLanguage(text) ? languageNames[text] : t("anyLanguage");
    if (field === "schemaNumber") {
      const schema = schemas?.find(({ schemaNumber }) => String(schemaNumber) === text);
      return schema?.name ?? (text === "" || text === "0" ? t("defaultSchema") : text);
    }
    if (text === "true") return t("yes");
    return text === "" || text === "false" ? t("nothing") : text;
  };
}
