import { useTranslation as useAnyTranslation } from "react-i18next";
import type {
  BillingTexts,
  PurchaseTexts,
  ContractListTexts,
  DocumentTexts,
  FuelTexts,
  ImportTexts,
  InvoiceTexts,
  LicenceTexts,
  MergeTexts,
  PartnerTexts,
  ReportTexts,
  SchemaTexts,
  SMSTexts,
  StatsTexts,
  Texts,
  TrackingTexts,
  WizardTexts,
} from "./words";

// i18next can type its keys too, but then most of the time of every type check goes into `t`.

type All = Texts &
  PartnerTexts &
  SMSTexts &
  InvoiceTexts &
  LicenceTexts &
  StatsTexts &
  FuelTexts &
  MergeTexts &
  ReportTexts &
  SchemaTexts &
  DocumentTexts &
  BillingTexts &
  PurchaseTexts &
  ImportTexts &
  WizardTexts &
  ContractListTexts &
  TrackingTexts;

/** A part of the texts. */
type Namespace = keyof All;

type Stem<Key> = Key extends `${infer Start}_${"one" | "other"}` ? Start : Key;
/** The keys of each part, without plural classes, and the values that a text needs. */
type Wanted = { [Part in Namespace]: { [Key in keyof All[Part] as Stem<Key>]: All[Part][Key] } };
type Own = { [Part in Namespace]: keyof Wanted[Part] & string };
/** The keys whose texts need no values. */
type Plain = {
  [Part in Namespace]: {
    [Key in Own[Part]]: keyof Wanted[Part][Key] extends never ? Key : string extends Wanted[Part][Key] ? Key : never;
  }[Own[Part]];
};
/** The same of all parts, with the name of the part before each key. */
type Named = { [Part in Namespace]: `${Part}:${Own[Part]}` };
type NamedPlain = { [Part in Namespace]: `${Part}:${Plain[Part]}` };
type AllNamed = {
  [Name in Named[Namespace]]: Name extends `${infer Part extends Namespace}:${infer Said}`
    ? Wanted[Part][Said & keyof Wanted[Part]]
    : never;
};

type Several = readonly [Namespace, ...Namespace[]];
type First<Parts extends Namespace | Several> = (Parts extends Several ? Parts[0] : Parts) & Namespace;
type Each<Parts extends Namespace | Several> = (Parts extends Several ? Parts[number] : Parts) & Namespace;

/** The keys whose texts need no values: of the first part as they are, of all with the name of their part. */
export type PlainKey<Parts extends Namespace | Several> = Plain[First<Parts>] | NamedPlain[Each<Parts>];

/** All that can be said with some parts of the texts. */
export type Key<Parts extends Namespace | Several> = Own[First<Parts>] | Named[Each<Parts>];

/** Says a text in the language on screen; the compiler knows which keys there are and which values they need. */
export interface Translate<Parts extends Namespace | Several> {
  (key: PlainKey<Parts>, values?: object): string;
  <Said extends keyof Wanted[First<Parts>]>(
    key: Said,
    values: Wanted[First<Parts>][Said] & Record<string, unknown>,
  ): string;
  <Said extends Named[Each<Parts>] & keyof AllNamed>(
    key: Said,
    values: AllNamed[Said] & Record<string, unknown>,
  ): string;
}

/** `useTranslation` of react-i18next, with the keys and values of these texts. */
export const useTranslation = useAnyTranslation as unknown as <const Parts extends Namespace | Several = "common">(
  parts?: Parts,
) => { t: Translate<Parts>; i18n: ReturnType<typeof useAnyTranslation>["i18n"] };
