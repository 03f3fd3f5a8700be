import { MenuItem } from "../components/menu";
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
