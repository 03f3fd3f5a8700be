import type { Locale } from "antd/es/locale";
import { createInstance } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { recall, remember } from "../browser/storage";
import { count } from "../format/number";
import { isLanguage, type Language } from "./languages";
import type { PartnerTexts, Texts } from "./words";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    keySeparator: false;
    resources: Texts & PartnerTexts;
  }
}

interface Chunk {
  texts: Record<keyof Texts, object>;
}
interface PartnerChunk {
  texts: Record<keyof PartnerTexts, object>;
  antd: Locale;
}

const chunks: Record<Language, () => Promise<Chunk>> = {
  pl: () => import("./pl"),
  en: () => import("./en"),
  de: () => import("./de"),
  uk: () => import("./uk"),
  ru: () => import("./ru"),
};

const partnerChunks: Record<Language, () => Promise<PartnerChunk>> = {
  pl: () => import("./pl/of-partners"),
  en: () => import("./en/of-partners"),
  de: () => import("./de/of-partners"),
  uk: () => import("./uk/of-partners"),
  ru: () => import("./ru/of-partners"),
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

// Drivers, most of whom are on phones, need not wait for the texts of screens they never see.
let ofPartners = false;

const add = (language: Language, all: Record<string, object>) => {
  for (const [name, words] of Object.entries(all)) i18n.addResourceBundle(language, name, words);
};

async function load(language: Language) {
  const [chunk, more] = await Promise.all([
    i18n.hasResourceBundle(language, "common") ? undefined : chunks[language](),
    ofPartners && !antdLocales.has(language) ? partnerChunks[language]() : undefined,
  ]);
  if (chunk) add(language, chunk.texts);
  if (!more) return;
  add(language, more.texts);
  antdLocales.set(language, more.antd);
}

/** Shows a language everywhere at once; the one shown before stays until this one is here. */
export async function show(language: Language) {
  await load(language);
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

/** From here on every language shown has the texts of a partner's screens too; resolves when the one on screen has them. */
export async function withPartnerTexts() {
  ofPartners = true;
  if (i18n.language) await load(i18n.language as Language);
}

/** Shows a language and remembers that the person wants it. */
export async function choose(language: Language) {
  await show(language);
  remember("localStorage", "language", language);
}

/** The language asked for, else the remembered one, else the first of the browser's that there is. */
export function wanted(asked: string | null): Language | undefined {
  if (isLanguage(asked)) {
    remember("localStorage", "language", asked);
    return asked;
  }
  const remembered = recall("localStorage", "language");
  if (isLanguage(remembered)) return remembered;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage);
}

/** The language on screen. */
export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}

/** Ant Design's own texts in the language on screen. */
export function useAntdLocale(): Locale | undefined {
  return antdLocales.get(useLanguage());
}
