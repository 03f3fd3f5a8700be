import { useState } from "react";
import { useLanguage } from "../i18n";
import type { Language } from "../i18n/languages";
import { money } from "../format/money";
import type { Details } from "./calls";
import { FIELDS, type FieldName, kindOf } from "./fields";
import { type Draft, draftOf, type Values, withTyped, type Write } from "./form";

/** Writes what was read as a person would type it. */
export const writing =
  (language: Language): Write =>
  (name, value) =>
    kindOf(name) === "amount" && /^-?\d+$/.test(value) ? money(BigInt(value), language) : value;

/** What is known of an invoice as texts to type on: nothing stands for zero. */
export function valuesOf(details: Details, language: Language): Values {
  const write = writing(language);
  return Object.fromEntries(
    FIELDS.map((name) => {
      const value = details[name];
      return [name, value === 0 || value === "" ? "" : write(name, String(value))];
    }),
  ) as Record<FieldName, string>;
}

/** A form that a person fills in. */
export function useDraft(begin: () => Draft = draftOf) {
  const [draft, setDraft] = useState(begin);
  const language = useLanguage();
  return {
    draft,
    setDraft,
    write: writing(language),
    type: (name: FieldName, value: string) => setDraft((now) => withTyped(now, name, value)),
  };
}
