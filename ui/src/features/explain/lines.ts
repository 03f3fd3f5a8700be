import type { English } from "../../i18n/english";
import { type Counted, explanationOf, type Figure, type Term, valueOf } from "./figures";

export const groups = ["start", "earnings", "cash", "deductions", "credits"] as const;

type Key = keyof English["statement"];
/** The figures that a line is called by. */
type Named = Key extends infer Text ? (Text extends `line_${infer Name}` ? Name : never) : never;

/** A line is called by its figure, or by the app of `provider`. */
type Called = { name: Named; provider?: undefined } | { name: "revenue" | "cashDeducted"; provider: string };

type Draft = Called & {
  group: (typeof groups)[number];
  /** What the amount is the sum of. */
  terms: Term[];
};

/** One line of the way from the start balance to what is due. */
export type Line = Draft & {
  amount: number;
  /** After this line. */
  balance: number;
};

const taken = (figure: Figure): Term => ({ figure, sign: -1 });

/**
 * The lines from the start balance to what is due, without those that say nothing. They add up to what is due whatever
 * the schema: the share of the partner is what lies between what was earned and what of it is the driver's.
 */
export function chainOf(settlement: Counted, cash: "by app" | "as one"): Line[] {
  const { apps, rules } = settlement;
  const ofRevenue = rules.payoutOf === "REVENUE";
  const drafts: Draft[] = [
    { group: "start", name: "previousPeriod", terms: [{ figure: "previousPeriod", sign: 1 }] },
    ...apps.map(({ provider }) => ({
      group: "earnings" as const,
      name: "revenue" as const,
      provider,
      terms: (["income", "bonus", "tips"] as const).map((figure) => ({ figure, provider, sign: 1 as const })),
    })),
    ...(rules.payoutIncludesCash && cash === "by app"
      ? apps.map(({ provider }) => ({
          group: "cash" as const,
          name: "cashDeducted" as const,
          provider,
          terms: [{ figure: "cashCollected" as const, provider, sign: -1 as const }],
        }))
      : [{ group: "cash" as const, name: "cashDeducted" as const, terms: [taken("cashDeducted")] }]),
    ...(ofRevenue ? [] : [{ group: "deductions" as const, name: "fee" as const, terms: [taken("fee")] }]),
    {
      group: "deductions",
      name: "payoutBase",
      terms: [{ figure: "payoutBase", sign: 1 }, taken(ofRevenue ? "revenue" : "netIncome")],
    },
    ...(
      [
        "taxAfterOptimisation",
        "settlementCost",
        "additionalSettlementCost",
        "rateCost",
        "contractCost",
      ] as const satisfies Figure[]
    ).map((name) => ({ group: "deductions" as const, name, terms: [taken(name)] })),
    { group: "deductions", name: "fuelCost", terms: [taken("fuelCost"), { figure: "fuelRefund", sign: 1 }] },
    { group: "deductions", name: "costs", terms: [taken("costs")] },
    { group: "credits", name: "credits", terms: [{ figure: "credits", sign: 1 }] },
  ];
  let balance = 0;
  return drafts.flatMap((draft) => {
    const terms = draft.terms.filter((term) => draft.terms.length === 1 || valueOf(settlement, term) !== 0);
    const amount = terms.reduce((sum, term) => sum + term.sign * valueOf(settlement, term), 0);
    balance += amount;
    return amount !== 0 || tells(settlement, draft.name, terms) ? [{ ...draft, terms, amount, balance }] : [];
  });
}

// A line of nothing stays where something stands behind it: cash that is not counted, a tax that came to zero.
function tells(settlement: Counted, name: Figure, terms: Term[]) {
  if (name === "previousPeriod") return true;
  if (name === "payoutBase") return false;
  if (name === "cashDeducted" && terms.every(({ provider }) => !provider))
    return valueOf(settlement, { figure: "cashCollected" }) !== 0;
  return terms.some(({ figure, provider }) => (explanationOf(settlement, figure, provider)?.parts.length ?? 0) > 0);
}
