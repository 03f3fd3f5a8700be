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

/** How a figure came about; nothing where nobody knows any more. */
export const explanationOf = ({ explanations }: Pick<Explained, "explanations">, figure: string, provider = "") =>
  explanations.find((one) => one.figure === figure && (one.provider ?? "") === provider);
