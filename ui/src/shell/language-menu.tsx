import { Globe } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { Menu } from "../components/menu";
import { useLanguage } from "../i18n";
import { languageNames } from "../i18n/languages";
import { LanguageItems } from "./language-items";

/** The language selector of demo partners. */
export function LanguageMenu() {
  const { t } = useTranslation("frame");
  const language = useLanguage();
  return (
    <Menu
      label={`${t("language")}: ${languageNames[language]}`}
      placement="below"
      align="end"
      triggerClass="icon-button language-button"
      trigger={
        <>
          <Globe aria-hidden size={18} strokeWidth={1.75} />
          <span className="language-code">{language.toUpperCase()}</span>
        </>
      }
    >
      <LanguageItems />
    </Menu>
  );
}
