import { useTranslation } from "../i18n/translation";
import { useConfig } from "../session/config";
import { choose, useLanguage } from "../i18n";
import { languageNames } from "../i18n/languages";

/** All languages side by side: whoever cannot read the page can still find theirs. */
export function LanguageLinks() {
  const { t } = useTranslation("signIn");
  const language = useLanguage();
  return (
    <nav className="sign-in-languages" aria-label={t("languages")}>
      {useConfig().languages.map((other) => (
        <button
          key={other}
          type="button"
          lang={other}
          aria-current={other === language}
          onClick={() => void choose(other)}
        >
          {languageNames[other]}
        </button>
      ))}
    </nav>
  );
}
