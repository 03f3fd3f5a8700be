import type { FaultCode, FieldCode } from "../api/problem";
import type { Language } from "./languages";

/** The plural classes a language has (CLDR). */
interface Plurals {
  pl: "one" | "few" | "many" | "other";
  en: "one" | "other";
  de: "one" | "other";
  uk: "one" | "few" | "many" | "other";
  ru: "one" | "few" | "many" | "other";
}

/** The texts of one file in another language: the same keys, and for each plural key every class that language has. */
export type Words<English, To extends Language> = {
  [Key in keyof English as Key extends `${string}_${"one" | "other"}` ? never : Key]: string;
} & {
  [Key in keyof English as Key extends `${infer Stem}_other` ? `${Stem}_${Plurals[To]}` : never]: string;
};

/** A text for every fault the contract knows. */
export type FaultWords = Record<FaultCode, string>;

/** A text for every reason to refuse a field. */
export type FieldWords = Record<FieldCode, string>;
