import type { Explained } from "./queries";

/** The figures of a settlement, as the contract calls them. The first six exist for each app too. */
export type Figure =
  | "income"
  | "bonus"
  | "tips"
  | "cashCollected"
  | "fee"
  | "workingDays"
  | "revenue"
  | "netIncome"
  | "payoutBase"
  | "cashDeducted"
  | "baseCost"
  | "appFee"
  | "tripCost"
  | "settlementCost"
  | "additionalSettlementCost"
  | "rateCost"
  | "contractBase"
  | "contractCost"
  | "fuelCost"
  | "fuelRefund"
  | "costs"
  | "credits"
  | "invoicesGross"
  | "vatReturn"
  | "provision"
  | "tax"
  | "taxCredit"
  | "taxAfterOptimisation"
  | "taxExcess"
  | "previousPeriod"
  | "due"
  | "payout"
  | "nextPeriodTransfer"
  | "order"
  | "deduction"
  | "remainder"
  | "invoiceVat";

type AppFigure = "income" | "bonus" | "tips" | "cashCollected" | "fee" | "workingDays";

/** One figure with its sign in a line. */
export interface Term {
  figure: Figure;
  /** Of an app's figure. */
  provider?: string;
  sign: 1 | -1;
}

/** What a chain is made of. */
export type Counted = Pick<Explained, "figures" | "apps" | "explanations"> & {
  rules: Pick<Explained["rules"], "payoutOf" | "payoutIncludesCash">;
};

/** What a figure is worth; one that is zero is not named. */
export function valueOf(
  { figures, apps }: Pick<Counted, "figures" | "apps">,
  { figure, provider }: Omit<Term, "sign">,
) {
  if (!provider) return figures[figure] ?? 0;
  return apps.find((app) => app.provider === provider)?.[figure as AppFigure] ?? 0;
}

/** How a figure came about; nothing where nobody knows any more. */
export const explanationOf = ({ explanations }: Pick<Counted, "explanations">, figure: string, provider = "") =>
  explanations.find((one) => one.figure === figure && (one.provider ?? "") === provider);
