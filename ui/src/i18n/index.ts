import type { Locale } from "antd/es/locale";
import { createInstance } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { recall, remember } from "../browser/storage";
import { count } from "../format/number";
import type { texts } from "./en";
import { isLanguage, type Language } from "./languages";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    keySeparator: false;
    resources: typeof texts;
  }
}

const chunks: Record<Language, () => Promise<{ texts: Record<string, object>; antd: Locale }>> = {
  pl: () => import("./pl"),
  en: () => import("./en"),
  de: () => import("./de"),
  uk: () => import("./uk"),
  ru: () => import("./ru"),
};

const FALLBACK: Language = "en";
const antdLocales = new Map<Language, Locale>();

/** The translator of the application. Fault codes are keys and hold dots, so a dot separates nothing. */
export const i18n = createInstance();
void i18n.use(initReactI18next).init({
  resources: {},
  fallbackLng: FALLBACK,
  defaultNS: "common",
  keySeparator: false,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
});
i18n.services.formatter?.add("number", (value: number, language) => count(value, (language ?? FALLBACK) as Language));

async function load(language: Language) {
  if (antdLocales.has(language)) return;
  const chunk = await chunks[language]();
  for (const [name, words] of Object.entries(chunk.texts)) i18n.addResourceBundle(language, name, words);
  antdLocales.set(language, chunk.antd);
}

/** Shows a language everywhere at once; the one shown before stays until this one is here. */
export async function show(language: Language) {
  await load(language);
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Shows a language and remembers that the person wants it. */
export async function choose(language: Language) {
  await show(language);
  remember("localStorage", "language", language);
}

/** The language asked for in the address, else the remembered one. */
export function wanted(search: string): Language | undefined {
  const asked = new URLSearchParams(search).get("lang");
  if (isLanguage(asked)) {
    remember("localStorage", "language", asked);
    return asked;
  }
  const remembered = recall("localStorage", "language");
  return isLanguage(remembered) ? remembered : undefined;
}

/** The language on screen. */
export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}

/** Ant Design's own texts in the language on screen. */
export function useAntdLocale(): Locale | undefined {
  return antdLocales.get(useLanguage());
}
