import { useTranslation } from "react-i18next";
import { isLanguage, languageNames } from "../../i18n/languages";
import { frequencies } from "./driver-fields";

/** How a value of a field reads in words. */
export function useShown() {
  const { t } = useTranslation("drivers");
  return (field: string, value: string | number | boolean): string => {
    const text = String(value);
    const often = frequencies.find((frequency) => String(frequency.value) === (text || "0"));
    if (field === "settlementFrequency" && often) return t(often.label);
    if (field === "summaryLanguage") return isLanguage(text) ? languageNames[text] : t("anyLanguage");
    if (text === "true") return t("yes");
    return text === "" || text === "false" ? t("nothing") : text;
  };
}
