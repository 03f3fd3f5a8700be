import type { English } from "../../i18n/english";
import type { Language } from "../../i18n/languages";

type Key = keyof English["verify"];

const chunks: Record<Language, () => Promise<{ words: Record<Key, string> }>> = {
  pl: () => import("./pl"),
  en: () => import("./en"),
  de: () => import("./de"),
  uk: () => import("./uk"),
  ru: () => import("./ru"),
};

/** The words of a language. */
export interface Words {
  language: Language;
  t: (key: Key, values?: Record<string, string>) => string;
}

/** Loads the words of a language. */
export async function wordsOf(language: Language): Promise<Words> {
  const { words } = await chunks[language]();
  return {
    language,
    t: (key, values = {}) => words[key].replace(/\{\{(\w+)\}\}/g, (hole, name: string) => values[name] ?? hole),
  };
}
