import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAccount } from "./account";
import { parseEmail, parsePhone, parsePostCode } from "./contact";
import { parseSteuerId, parseUstIdNr } from "./german";
import type { Parsed, Reason } from "./official";
import { parseNip, parsePesel, parseRegon } from "./polish";

/** A row of the file that the tests of the server read too. */
interface Vector {
  kind: string;
  about: string;
  country?: string;
  input: string;
  times?: number;
  ok: boolean;
  canonical?: string;
  display?: string;
  reason?: Reason;
  birthOn?: string;
  sex?: string;
}

const file = resolve(import.meta.dirname, "../../../../internal/kernel/official/testdata/vectors.json");
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vector[];

const parsers: Record<string, (text: string, country: string) => Parsed> = {
  nip: parseNip,
  pesel: parsePesel,
  regon: parseRegon,
  ust_id_nr: parseUstIdNr,
  steuer_id: parseSteuerId,
  account: parseAccount,
  post_code: parsePostCode,
  phone: parsePhone,
  email: parseEmail,
};

const parse = (kind: string, text: string, country = "") => parsers[kind]?.(text, country);

/** What the file says of a row, as a parser would. */
function expected({ kind, ok, canonical = "", display, reason, birthOn, sex }: Vector) {
  if (!ok) return { ok, reason };
  const more = kind === "account" ? { country: canonical.slice(0, 2) } : kind === "pesel" ? { birthOn, sex } : {};
  return { ok, value: canonical, display, ...more };
}

describe.each(Object.keys(parsers))("%s", (kind) => {
  const rows = vectors.filter((row) => row.kind === kind);

  it("has many rows", () => expect(rows.length).toBeGreaterThanOrEqual(15));

  it("is judged as the server judges it", () => {
    for (const row of rows)
      expect(parse(kind, row.input.repeat(row.times ?? 1), row.country), `${row.about}: ${row.input}`).toEqual(
        expected(row),
      );
  });

  it("reads what it shows", () => {
    for (const { ok, canonical, display = "", country } of rows.filter((row) => row.ok))
      for (const text of [canonical ?? "", display, ` ${display}\u00a0`])
        expect(parse(kind, text, country)).toMatchObject({ ok, value: canonical, display });
  });
});

it("knows every kind of the file", () => {
  expect(new Set(vectors.map((row) => row.kind))).toEqual(new Set(Object.keys(parsers)));
});

it("gives each calendar day of a leap year and a common one its PESEL, and no other day", () => {
  for (const [year, leap] of [
    [2000, true],
    [2001, false],
  ] as const) {
    let days = 0;
    for (let month = 0; month < 20; month++)
      for (let day = 0; day < 40; day++) {
        const head = `${String(year).slice(2)}${month + 20}${String(day).padStart(2, "0")}1234`;
        const answers = Array.from({ length: 10 }, (_, last) => parsePesel(head + String(last)));
        if (answers.some((answer) => answer.ok)) days++;
        // One last digit is right; then the date decides.
        expect(answers.filter((answer) => answer.ok || answer.reason === "date")).toHaveLength(1);
      }
    expect(days).toBe(leap ? 366 : 365);
  }
});
