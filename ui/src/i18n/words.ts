import type { FaultCode, FieldCode } from "../api/problem";
import type { English } from "./english";
import type { Language } from "./languages";

/** The texts of a driver's first screen and of what stands around every screen. */
export interface FirstTexts {
  accounts: English["driver-menu"];
  common: English["common"];
  explain: English["own"];
  faults: English["network"];
  frame: English["frame"];
}

/** The texts of every further screen. Every fault and every reason to refuse a field that the contract knows has a text. */
export interface FurtherTexts {
  explain: English["explain"] & English["statement"] & English["types"];
  faults: Record<Exclude<FaultCode, keyof English["network"]>, string>;
  fields: Record<FieldCode, string>;
  questions: English["questions"];
  signIn: English["sign-in"];
}

/** The texts of a driver's further screens. */
export interface DriverTexts {
  accounts: English["accounts"];
  board: English["board"];
}

type Most = FirstTexts & FurtherTexts & DriverTexts;

/** The texts of every screen; some parts come out of two files. */
export type Texts = { [Part in keyof Most]: Most[Part] };

/** The texts of the screens on which a partner sends SMS and sets them up, with those of the office's people and connections. */
export interface SMSTexts {
  connections: English["connections"];
  people: English["people"];
  sms: English["sms"];
}

/** The texts of the screens of cost invoices, for drivers and for partners. */
export interface InvoiceTexts {
  invoices: English["invoices"];
}

/** The texts of the screens of trips and working time. */
export interface TrackingTexts {
  tracking: English["tracking"];
}

/** The texts of the screens of drivers' documents, for drivers and for partners. */
export interface DocumentTexts {
  driverDocuments: English["driver-documents"] & English["document-types"];
}

/** The texts of the contract wizard and of a driver's contracts, for drivers and for partners. */
export interface WizardTexts {
  contractEvents: English["contract-events"];
  contractWizard: English["contract-wizard"];
}

/** The texts of the screens of a partner's contracts. */
export interface ContractListTexts {
  contractEvents: English["contract-events"];
  contractList: English["contract-list"];
  contractTexts: English["contract-texts"];
}

/** The texts of the screens of schemas. */
export interface SchemaTexts {
  schemas: English["schema-texts"];
}

/** The texts of the screens on which settlements are bought. */
export interface LicenceTexts {
  licences: English["licences"];
}

/** The texts of statistics, for drivers and for partners, and of every chart. */
export interface StatsTexts {
  charts: English["charts"];
  stats: English["stats"];
}

/** The texts of merging drivers, and of drivers who may be the same person. */
export interface MergeTexts {
  merge: English["merge"];
}

/** The texts of fuel cards, for drivers and for partners, and of their chart. */
export interface FuelTexts {
  charts: English["charts"];
  fuel: English["fuel"];
}

/** The texts of the screens of reports, and of the charts and tables on them. */
export interface ReportTexts {
  charts: English["charts"];
  reports: English["reports"];
}

/** The texts of the screens of documents of settlements, and of packs of them. */
export interface BillingTexts {
  accountant: English["accountant"];
  documents: English["billing-documents"];
}

/** The texts of the screens of files and of what is in them. */
export interface ImportTexts {
  imports: English["imports"];
}

/** The texts of the screen of invoices from KSeF. */
export interface PurchaseTexts {
  purchases: English["purchases"];
}

/** The texts of a partner's screens. */
export interface PartnerTexts {
  documents: English["documents"];
  drivers: English["drivers"] & English["driver-fields"];
  home: English["home"];
  imports: English["import-titles"];
  jobs: English["jobs"];
  messages: English["messages"];
  partner: English["partner"];
  payouts: English["payouts"];
  profiles: English["profiles"];
  schemas: English["schemas"];
  sending: English["sending"];
  settlements: English["settlements"] & English["settlement-fields"];
  tags: English["tags"];
  terms: English["terms"];
  transactions: English["transactions"] & English["types"];
}

/** The plural classes a language has (CLDR). */
interface Plurals {
  pl: "one" | "few" | "many" | "other";
  en: "one" | "other";
  de: "one" | "other";
  uk: "one" | "few" | "many" | "other";
  ru: "one" | "few" | "many" | "other";
}

/** The keys of a file in another language: the same, and for each plural key every class that language has. */
type Keys<Of, To extends Language> =
  | Exclude<keyof Of, `${string}_${"one" | "other"}`>
  | (keyof Of extends infer Key ? (Key extends `${infer Stem}_other` ? `${Stem}_${Plurals[To]}` : never) : never);

/** The texts of one file in a language. Without one of them, or with one that English has not, it does not compile. */
export type CompleteFile<Of, Found, To extends Language> = Record<Keys<Of, To>, string> &
  Record<Exclude<keyof Found, Keys<Of, To>>, never>;

/** The texts of several files in a language. */
export type Complete<All, Found extends Record<keyof All, object>, To extends Language> = {
  [Name in keyof All]: CompleteFile<All[Name], Found[Name], To>;
};
