import type { Locale } from "antd/es/locale";
import { createInstance } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { recall, remember } from "../browser/storage";
import { count } from "../format/number";
import { isLanguage, type Language } from "./languages";

interface Chunk {
  texts: Record<string, object>;
  antd?: Locale;
}

/** What is loaded for everybody, for every screen but a driver's first, for drivers, for partners, and for single screens. */
type Part = "first" | "further" | "drivers" | "partners" | Single;

/** The parts of single screens. */
type Single =
  | "sms"
  | "invoices"
  | "driverDocuments"
  | "billing"
  | "purchases"
  | "imports"
  | "contractWizard"
  | "contractList"
  | "tracking"
  | "schemas"
  | "licences"
  | "stats"
  | "fuel"
  | "merge"
  | "reports";

/** The texts of a part in each language. */
type Chunks = Record<Language, () => Promise<Chunk>>;

const chunks: Record<Language, Partial<Record<Part, () => Promise<Chunk>>>> = {
  pl: {
    first: () => import("./pl"),
    further: () => import("./pl/further"),
    drivers: () => import("./pl/of-drivers"),
    partners: () => import("./pl/of-partners"),
  },
  en: {
    first: () => import("./en"),
    further: () => import("./en/further"),
    drivers: () => import("./en/of-drivers"),
    partners: () => import("./en/of-partners"),
  },
  de: {
    first: () => import("./de"),
    further: () => import("./de/further"),
    drivers: () => import("./de/of-drivers"),
    partners: () => import("./de/of-partners"),
  },
  uk: {
    first: () => import("./uk"),
    further: () => import("./uk/further"),
    drivers: () => import("./uk/of-drivers"),
    partners: () => import("./uk/of-partners"),
  },
  ru: {
    first: () => import("./ru"),
    further: () => import("./ru/further"),
    drivers: () => import("./ru/of-drivers"),
    partners: () => import("./ru/of-partners"),
  },
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
  // Texts that come later are shown where they are missing.
  react: { useSuspense: false, bindI18nStore: "added" },
});
i18n.services.formatter?.add("number", (value: number, language) => count(value, (language ?? FALLBACK) as Language));

// Drivers, most of whom are on phones, need not wait for the texts of screens they have not opened.
const parts = new Set<Part>(["first"]);
const loaded = new Set<`${Language} ${Part}`>();

async function load(language: Language) {
  const missing = [...parts].filter((part) => !loaded.has(`${language} ${part}`));
  await Promise.all(
    missing.map(async (part) => {
      const { texts = {}, antd } = (await chunks[language][part]?.()) ?? {};
      for (const [name, words] of Object.entries(texts)) i18n.addResourceBundle(language, name, words);
      if (antd) antdLocales.set(language, antd);
      loaded.add(`${language} ${part}`);
    }),
  );
}

/** Shows a language everywhere at once; the one shown before stays until this one is here. */
export async function show(language: Language) {
  await load(language);
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
}

async function withParts(...more: Part[]) {
  for (const part of more) parts.add(part);
  if (i18n.language) await load(i18n.language as Language);
}

/** From here on every language shown says what went wrong; resolves when the one on screen does. */
export const withFurtherTexts = () => withParts("further");

/** From here on every language shown has the texts of all of a driver's screens; resolves when the one on screen has them. */
export const withDriverTexts = () => withParts("further", "drivers");

/** From here on every language shown has the texts of a partner's screens too; resolves when the one on screen has them. */
export const withPartnerTexts = () => withParts("further", "partners");

/**
 * From here on every language shown has the texts of single screens too; resolves when the one on screen has them. Where they are is said
 * by what needs them, so that others need not load even that.
 */
export function withTextsOf(part: Single, of: Chunks) {
  for (const language of Object.keys(of) as Language[]) chunks[language][part] = of[language];
  return withParts(part);
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
