import { Globe } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Menu, MenuItem } from "../components/menu";
import { choose, useLanguage } from "../i18n";
import { languageNames } from "../i18n/languages";
import { useConfig } from "../session/config";

/** The languages of this instance, each by its own name. */
export function LanguageItems() {
  const language = useLanguage();
  return useConfig().languages.map((other) => (
    <MenuItem key={other} kind="radio" lang={other} checked={other === language} onSelect={() => void choose(other)}>
      {languageNames[other]}
    </MenuItem>
  ));
}

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
