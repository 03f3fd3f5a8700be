import { beforeAll, describe, expect, it, vi } from "vitest";
import accounts from "../../../locales/en/accounts.json";
import driverFields from "../../../locales/en/driver-fields.json";
import driverMenu from "../../../locales/en/driver-menu.json";
import drivers from "../../../locales/en/drivers.json";
import explain from "../../../locales/en/explain.json";
import faults from "../../../locales/en/faults.json";
import network from "../../../locales/en/network.json";
import own from "../../../locales/en/own.json";
import settlementFields from "../../../locales/en/settlement-fields.json";
import settlements from "../../../locales/en/settlements.json";
import statement from "../../../locales/en/statement.json";
import transactions from "../../../locales/en/transactions.json";
import types from "../../../locales/en/types.json";
import { i18n, show, wanted, withDriverTexts, withPartnerTexts } from ".";
import { texts as de } from "./de";
import { texts as deFurther } from "./de/further";
import { texts as deDrivers } from "./de/of-drivers";
import { texts as dePartners } from "./de/of-partners";
import { texts as en } from "./en";
import { texts as enFurther } from "./en/further";
import { texts as enDrivers } from "./en/of-drivers";
import { texts as enPartners } from "./en/of-partners";
import { type Language, languageNames } from "./languages";
import type { Translate } from "./translation";
import { texts as pl } from "./pl";
import { texts as plFurther } from "./pl/further";
import { texts as plDrivers } from "./pl/of-drivers";
import { texts as plPartners } from "./pl/of-partners";
import { texts as ru } from "./ru";
import { texts as ruFurther } from "./ru/further";
import { texts as ruDrivers } from "./ru/of-drivers";
import { texts as ruPartners } from "./ru/of-partners";
import { texts as uk } from "./uk";
import { texts as ukFurther } from "./uk/further";
import { texts as ukDrivers } from "./uk/of-drivers";
import { texts as ukPartners } from "./uk/of-partners";

type Words = Record<string, Record<string, string>>;
const together = (...parts: Words[]): Words => {
  const all: Words = {};
  for (const part of parts) for (const [name, words] of Object.entries(part)) all[name] = { ...all[name], ...words };
  return all;
};
const all: Record<Language, Words> = {
  pl: together(pl, plFurther, plDrivers, plPartners),
  en: together(en, enFurther, enDrivers, enPartners),
  de: together(de, deFurther, deDrivers, dePartners),
  uk: together(uk, ukFurther, ukDrivers, ukPartners),
  ru: together(ru, ruFurther, ruDrivers, ruPartners),
};
const languages = Object.keys(languageNames) as Language[];
const CLASSES = /_(zero|one|two|few|many|other)$/;
const NUMBERS = [0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 102, 111, 112, 1.5];

const stems = (words: Record<string, string>) =>
  [...new Set(Object.keys(words).filter((key) => key.endsWith("_other")))].map((key) => key.replace(CLASSES, ""));
const plural = (words: Record<string, string>, key: string) => stems(words).includes(key.replace(CLASSES, ""));
const keys = (words: Record<string, string>) =>
  [...new Set(Object.keys(words).map((key) => (plural(words, key) ? key.replace(CLASSES, "") : key)))].sort();
const holes = (text: string) => (text.match(/\{\{[^}]+\}\}|<\/?\w+>/g) ?? []).sort();

it("leaves the texts of further screens out until one is opened, and adds them to those that are here", async () => {
  vi.resetModules();
  const { i18n, show, withDriverTexts } = await import(".");
  await show("pl");
  expect(i18n.exists("explain:nextPayout")).toBe(true);
  expect(i18n.exists("faults:network.unreachable")).toBe(true);
  expect(i18n.exists("accounts:profileTitle")).toBe(true);
  expect(i18n.exists("faults:internal")).toBe(false);
  await withDriverTexts();
  expect(i18n.t("faults:internal")).toBe(plFurther.faults.internal);
  expect(i18n.t("explain:nextPayout")).toBe(pl.explain.nextPayout);
  await show("uk");
  expect(i18n.t("faults:internal")).toBe(ukFurther.faults.internal);
});

it("leaves a partner's texts out until they are asked for, then brings them with every language", async () => {
  vi.resetModules(); // as a page that loads finds them: tests before this one have asked
  const { i18n, show, withPartnerTexts } = await import(".");
  await show("pl");
  expect(i18n.exists("tags:title")).toBe(false);
  await show("de");
  await withPartnerTexts();
  expect(i18n.t("tags:title")).toBe(dePartners.tags.title);
  await show("uk");
  expect(i18n.t("tags:title")).toBe(ukPartners.tags.title);
  await show("pl");
  expect(i18n.t("tags:title")).toBe(plPartners.tags.title);
});

describe.each(languages)("%s", (language) => {
  beforeAll(async () => {
    await Promise.all([withPartnerTexts(), withDriverTexts()]);
    await show(language);
    return () => show("pl");
  });

  it("has the same files and keys as English", () => {
    expect(Object.keys(all[language]).sort()).toEqual(Object.keys(all.en).sort());
    for (const [name, words] of Object.entries(all[language]))
      expect(keys(words), name).toEqual(keys(all.en[name] ?? {}));
  });

  it("has no empty text, and the same places to fill in as English", () => {
    for (const [name, words] of Object.entries(all[language]))
      for (const [key, text] of Object.entries(words)) {
        expect(text.trim(), `${name}:${key}`).not.toBe("");
        const english = all.en[name] ?? {};
        const same = english[key] ?? english[key.replace(CLASSES, "_other")] ?? "";
        expect(holes(text), `${name}:${key}`).toEqual(holes(same));
      }
  });

  it("has every plural class of the language for every counted text, and no other", () => {
    const classes = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const words of Object.values(all[language]))
      for (const stem of stems(words)) {
        const has = Object.keys(words).filter((key) => CLASSES.test(key) && key.replace(CLASSES, "") === stem);
        expect(has.sort()).toEqual(classes.map((name) => `${stem}_${name}`).sort());
      }
  });

  it.each(NUMBERS)("counts %d in its own class", (count) => {
    const t = i18n.getFixedT(language, "tags");
    const rule = new Intl.PluralRules(language).select(count);
    const words = all[language].tags ?? {};
    const expected = (words[`count_${rule}`] ?? "").replace(/\{\{[^}]+\}\}/, "").trim();
    expect(t("count", { count })).toContain(expected);
  });
});

it.each([
  [explain, own, statement, types],
  [accounts, driverMenu],
  [faults, network],
  [drivers, driverFields],
  [settlements, settlementFields],
  [transactions, types],
])("has no key in two files that are put together", (...files: object[]) => {
  const all = files.flatMap((file) => Object.keys(file));
  expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([]);
});

it("tells Polish from Ukrainian and Russian at 21 and 101", () => {
  const counted = (language: Language, count: number) => i18n.getFixedT(language, "tags")("count", { count });
  expect(counted("pl", 21)).toBe("21 etykiet");
  expect(counted("uk", 21)).toBe("21 мітка");
  expect(counted("ru", 101)).toBe("101 метка");
  expect(counted("pl", 22)).toBe("22 etykiety");
  expect(counted("pl", 1.5)).toBe("1,5 etykiety");
  expect(counted("de", 1264)).toBe("1.264 Etiketten");
});

describe("the language asked for", () => {
  it.each(languages)("may be %s, and is remembered", (language) => {
    expect(wanted(language)).toBe(language);
    expect(wanted(null)).toBe(language);
  });

  it.each(["fr", "PL", "", "toString", "pl-PL"])("is ignored when it is “%s”: the browser's counts", (language) => {
    localStorage.clear();
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr-FR", "uk-UA", "pl"]);
    expect(wanted(language)).toBe("uk");
    expect(localStorage.getItem("saldo.language")).toBeNull();
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr-FR"]);
    expect(wanted(language)).toBeUndefined();
  });
});

describe("the types of texts", () => {
  it("refuse keys that no part has, and texts without their values", () => {
    const t = i18n.t as unknown as Translate<["tags", "common"]>;
    t("title");
    t("common:back");
    t("count", { count: 2 });
    // @ts-expect-error no such key
    t("nonsense");
    // @ts-expect-error a key of a part that was not asked for
    t("drivers:title");
    // @ts-expect-error the text has a place for a number
    t("count");
    // @ts-expect-error the number is no text
    t("count", { count: "2" });
  });
});
