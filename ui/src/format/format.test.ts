import { describe, expect, it, vi } from "vitest";
import { age, day, today } from "./date";
import { parseHundredths } from "./hundredths";
import { currencySign, money } from "./money";
import { count } from "./number";

describe("money", () => {
  it.each([
    ["pl", 287830n, "2\u00a0878,30"],
    ["pl", 123456789n, "1\u00a0234\u00a0567,89"],
    ["en", 287830n, "2,878.30"],
    ["de", 287830n, "2.878,30"],
    ["uk", 287830n, "2\u00a0878,30"],
    ["ru", 287830n, "2\u00a0878,30"],
    ["pl", 0n, "0,00"],
    ["pl", 7n, "0,07"],
    ["pl", -60410n, "−604,10"],
    ["de", -5n, "−0,05"],
  ] as const)("writes %s %s as %s", (language, minor, text) => {
    expect(money(minor, language)).toBe(text);
  });

  it("stays exact beyond what a double can hold", () => {
    expect(money(9007199254740993n, "en")).toBe("90,071,992,547,409.93");
  });

  it("puts a no-break space before the sign", () => {
    expect(currencySign("PLN", "pl")).toBe("\u00a0zł");
    expect(currencySign("PLN", "uk")).toBe("\u00a0zł");
    expect(currencySign("EUR", "de")).toBe("\u00a0€");
  });
});

describe("day", () => {
  it("is the day of the business, not of the browser", () => {
    expect(day("2026-11-08T23:30:00Z", "pl", "Europe/Warsaw")).toBe("9 lis 2026");
    expect(day("2026-11-08T23:30:00Z", "pl", "UTC")).toBe("8 lis 2026");
  });

  it.each([
    ["en", /^9 Nov 2026$/],
    ["de", /^9\. Nov\. 2026$/],
    ["uk", /^9 лист\. 2026\sр\.$/],
    ["ru", /^9 нояб\. 2026\sг\.$/],
  ] as const)("writes a full year in %s", (language, text) => {
    expect(day("2026-11-09T10:00:00Z", language, "Europe/Warsaw")).toMatch(text);
  });
});

it("groups counts from four digits on", () => {
  expect(count(1264, "pl")).toBe("1\u00a0264");
  expect(count(840, "pl")).toBe("840");
  expect(count(1264, "de")).toBe("1.264");
});

describe("a number as people type it", () => {
  it.each([
    ["1 234,50", "pl", 123450],
    ["1\u00a0234,5", "pl", 123450],
    ["12.50", "pl", 1250],
    ["1.234", "pl", undefined],
    ["1.234", "de", 123400],
    ["1.234,50", "de", 123450],
    ["1,234", "en", 123400],
    ["1,234.50", "en", 123450],
    ["12,5", "en", 1250],
    ["0", "uk", 0],
    ["−5", "ru", -500],
    ["12,345", "pl", undefined],
    ["1,2,3", "pl", undefined],
    ["1 2", "pl", undefined],
    ["1 234 567", "uk", 123456700],
    ["1,234,567.8", "en", 123456780],
    ["1.23.456,00", "de", undefined],
    ["-12", "pl", -1200],
    ["−0,01", "pl", -1],
    ["+7", "pl", 700],
    ["1.234,50", "pl", 123450],
    ["1 23,00", "pl", undefined],
    ["12 zł", "pl", undefined],
    ["1e5", "pl", undefined],
    [",5", "pl", undefined],
    ["--1", "pl", undefined],
    ["", "pl", undefined],
    ["abc", "pl", undefined],
    ["12345678901234", "pl", undefined],
  ] as const)("reads “%s” in %s as %s", (text, language, value) => {
    expect(parseHundredths(text, language)).toBe(value);
  });

  it("reads what is written", () => {
    for (const language of ["pl", "en", "de", "uk", "ru"] as const)
      for (const minor of [1, -1, 100, 123450, -99, -123456789])
        expect(parseHundredths(money(BigInt(minor), language), language)).toBe(minor);
  });
});

it("gives as today the day where the business is", () => {
  vi.useFakeTimers({ now: new Date("2026-11-15T23:30:00Z") });
  expect(today("Europe/Warsaw")).toBe("2026-11-16");
  expect(today("Atlantic/Azores")).toBe("2026-11-15");
  vi.useRealTimers();
});

describe("age", () => {
  const now = Date.parse("2026-11-18T12:00:00Z");
  it.each([
    ["2026-11-18T11:59:50Z", "pl", "1 minuta"],
    ["2026-11-18T11:15:00Z", "en", "45 minutes"],
    ["2026-11-16T12:30:00Z", "pl", "47 godzin"],
    ["2026-11-16T12:00:00Z", "uk", "2 дні"],
    ["2026-11-18T12:30:00Z", "de", "1 Minute"], // a clock that is behind
  ] as const)("%s in %s is %s", (since, language, text) => {
    expect(age(since, language, now)).toBe(text);
  });
});
