import { type Language, localeOf } from "../i18n/languages";

const made = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

// Making a formatter costs more than a row of a list: each is made once.
function once<Made extends Intl.DateTimeFormat | Intl.NumberFormat>(key: string, make: () => Made): Made {
  const known = made.get(key);
  if (known) return known as Made;
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}

export const dates = (language: Language, options: Intl.DateTimeFormatOptions) =>
  once(`d ${language} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(localeOf(language), options));

export const numbers = (language: Language, options: Intl.NumberFormatOptions) =>
  once(`n ${language} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(localeOf(language), options));
