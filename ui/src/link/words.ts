import type { English } from "../i18n/english";
import type { Language } from "../i18n/languages";
import { localeOf } from "../i18n/languages";
import type { Texts as AppTexts } from "../i18n/words";
import { count } from "../format/number";

type Texts = Record<string, string>;
interface Chunk {
  explain: Texts;
  summary: Texts;
}

const chunks: Record<Language, () => Promise<Chunk>> = {
  pl: () => import("./pl"),
  en: () => import("./en"),
  de: () => import("./de"),
  uk: () => import("./uk"),
  ru: () => import("./ru"),
};

type Stem<Key> = Key extends `${infer Start}_${"one" | "other"}` ? Start : Key;
type Key = keyof English["summary"] | Stem<keyof AppTexts["explain"]>;

/** The words of a language. The texts of the application, without its translator, which weighs more than they do. */
export interface Words {
  language: Language;
  t: (key: Key, values?: Record<string, string | number>) => string;
}

/** Loads the words of a language. */
export async function wordsOf(language: Language): Promise<Words> {
  const { explain, summary } = await chunks[language]();
  const all: Texts = { ...explain, ...summary };
  const rules = new Intl.PluralRules(localeOf(language));
  return {
    language,
    t: (key, values = {}) => {
      const form = typeof values.count === "number" ? `${key}_${rules.select(values.count)}` : key;
      return (all[form] ?? key).replace(/\{\{(\w+)(?:, number)?\}\}/g, (hole, name: string) => {
        const value = values[name];
        return typeof value === "number" ? count(value, language) : (value ?? hole);
      });
    },
  };
}
