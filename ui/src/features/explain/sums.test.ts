import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { chainOf } from "./lines";
import { type Counted, valueOf } from "./figures";
import type { Explained, Explanation } from "./queries";

type Rules = Explained["rules"];
import { wayOf } from "./sums";

const data = (name: string): unknown =>
  JSON.parse(readFileSync(resolve("../internal/settlements/engine/testdata", name), "utf8"));

interface Worked {
  name: string;
  schema: Partial<Rules>;
  expected: {
    figures: Record<string, number>;
    apps: Record<string, Omit<Counted["apps"][number], "provider">>;
  };
}

const worked = data("cases.json") as Worked[];
const shown = data("shown.json") as (Counted & { name: string })[];

/** What must hold of every chain. */
function adds(settlement: Counted) {
  const due = settlement.figures.due ?? 0;
  for (const cash of ["by app", "as one"] as const) {
    const lines = chainOf(settlement, cash);
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(due);
    expect(lines.at(-1)?.balance).toBe(due);
    for (const [at, { amount, balance, terms }] of lines.entries()) {
      expect(balance - (lines[at - 1]?.balance ?? 0)).toBe(amount);
      expect(terms.reduce((sum, term) => sum + term.sign * valueOf(settlement, term), 0)).toBe(amount);
    }
  }
}

describe("the lines of a chain add up to what is due", () => {
  it.each(worked.map((one) => [one.name, one] as const))("in the worked case: %s", (_, { schema, expected }) => {
    const rules = { payoutOf: "INCOME", payoutIncludesCash: true, ...schema } as Rules;
    const apps = Object.entries(expected.apps).map(([provider, figures]) => ({ provider, ...figures }));
    adds({ figures: expected.figures, apps, rules, explanations: [] });
  });

  it.each(shown.map((one) => [one.name, one] as const))("as the engine says: %s", (_, one) => adds(one));

  it("for two thousand other sets of figures", () => {
    // The same numbers each time: xorshift.
    let state = 20260101;
    const throwing = (most: number) => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return Math.abs(state) % (most + 1);
    };
    const amount = () => (throwing(3) === 0 ? 0 : throwing(900_000) - 90_000);
    for (let set = 0; set < 2000; set++) {
      const apps = Array.from({ length: throwing(4) }, (_, at) => ({
        provider: `APP${at}`,
        income: amount(),
        bonus: amount(),
        tips: amount(),
        cashCollected: amount(),
        fee: amount(),
        workingDays: throwing(7),
      }));
      const total = (name: "income" | "bonus" | "tips" | "cashCollected" | "fee") =>
        apps.reduce((sum, app) => sum + app[name], 0);
      const revenue = total("income") + total("bonus") + total("tips");
      const netIncome = revenue - total("fee");
      const payoutOf = throwing(1) ? "REVENUE" : "INCOME";
      const payoutIncludesCash = throwing(2) > 0;
      const base = payoutOf === "REVENUE" ? revenue : netIncome;
      const figures: Record<string, number> = {
        revenue,
        netIncome,
        fee: total("fee"),
        cashCollected: total("cashCollected"),
        payoutBase: Math.round((base * throwing(10_000)) / 10_000),
        cashDeducted: payoutIncludesCash ? total("cashCollected") : 0,
      };
      for (const name of [
        "taxAfterOptimisation",
        "settlementCost",
        "additionalSettlementCost",
        "rateCost",
        "contractCost",
        "fuelCost",
        "fuelRefund",
        "costs",
        "credits",
        "previousPeriod",
      ])
        figures[name] = amount();
      const of = (name: string) => figures[name] ?? 0;
      figures.due =
        of("payoutBase") -
        of("cashDeducted") -
        of("taxAfterOptimisation") -
        of("settlementCost") -
        of("additionalSettlementCost") -
        of("rateCost") -
        of("contractCost") -
        of("fuelCost") +
        of("fuelRefund") -
        of("costs") +
        of("credits") +
        of("previousPeriod");
      adds({ figures, apps, rules: { payoutOf, payoutIncludesCash }, explanations: [] });
    }
  });
});

it.each(shown.map((one) => [one.name, one] as const))("every explanation ends in its figure: %s", (_, one) => {
  expect(one.explanations.length).toBeGreaterThan(5);
  for (const explanation of one.explanations)
    if (explanation.formula !== "days") {
      expect(wayOf(explanation).value, explanation.figure).toBe(BigInt(explanation.value));
      expect(explanation.value).toBe(valueOf(one, explanation as Explanation & { figure: "income" }));
    }
});
