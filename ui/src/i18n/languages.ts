import type { Body } from "../api/client";

/** A language of the interface, as the contract names it. */
export type Language = Body<"/api/config">["defaultLanguage"];

/** Each language by its own name, in the order shown; every language of the contract is here or this does not compile. */
export const languageNames: Record<Language, string> = {
  pl: "Polski",
  en: "English",
  de: "Deutsch",
  uk: "Українська",
  ru: "Русский",
};

export const isLanguage = (value: string | null): value is Language =>
  value !== null && Object.hasOwn(languageNames, value);

/** The locale that numbers and dates are written in: English here is European. */
export const localeOf = (language: Language) => (language === "en" ? "en-GB" : language);
