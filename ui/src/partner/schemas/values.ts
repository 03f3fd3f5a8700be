import { parseHundredths, percent } from "../../format/hundredths";
import { money } from "../../format/money";
import type { Language } from "../../i18n/languages";
import type { Rules, Schema } from "./queries";

type Amounts =
  | "weeklyContractCost"
  | "monthlyContractCost"
  | "settlementCost"
  | "tripSettlementCost"
  | "tripFee"
  | "minTransfer";
type Limits = "maxFee1" | "maxFee2" | "maxFee3" | "maxTripSettlementCost" | "minContractIncome";
type Rates = "deductionRateBp" | "depreciationRateBp" | "payoutRateBp";
type Band = Rules["costRates"][number];

/** What the form holds: amounts and percents as the person reads and types them; an empty text is none. */
export type Values = Omit<Rules, Amounts | Limits | Rates | "dailyFee" | "additionalCosts" | "costRates"> &
  Record<Amounts | Limits | Rates, string> & {
    dailyFee: Record<keyof Rules["dailyFee"], string>;
    additionalCosts: { name: string; amount: string }[];
    costRates: { type: Band["type"]; incomeFrom: string; incomeTo: string; rate: string }[];
  };

const AMOUNTS = [
  "weeklyContractCost",
  "monthlyContractCost",
  "settlementCost",
  "tripSettlementCost",
  "tripFee",
  "minTransfer",
] as const satisfies Amounts[];
const LIMITS = [
  "maxFee1",
  "maxFee2",
  "maxFee3",
  "maxTripSettlementCost",
  "minContractIncome",
] as const satisfies Limits[];
const RATES = ["deductionRateBp", "depreciationRateBp", "payoutRateBp"] as const satisfies Rates[];

/** What a new schema begins with: nothing is charged, and everything earned is the driver's. */
export const blank: Rules = {
  name: "",
  contractType: "CIVIL_CONTRACT",
  weeklyContractCost: 0,
  monthlyContractCost: 0,
  settlementCost: 0,
  additionalCosts: [],
  dailyFee: { UBER: 0, BOLT: 0, FREENOW: 0 },
  maxFee1: null,
  maxFee2: null,
  maxFee3: null,
  tripSettlementCost: 0,
  tripFee: 0,
  maxTripSettlementCost: null,
  minContractIncome: null,
  vatMethod: "INSIDE",
  invoiceVat: "REDUCED",
  vatSplit: false,
  deductionRateBp: 10000,
  depreciationRateBp: 0,
  payoutRateBp: 10000,
  payoutOf: "INCOME",
  payoutIncludesCash: true,
  weekStartDay: 1,
  minTransfer: 0,
  costRates: [],
  autoNextPeriod: true,
};

/** The rules as the form shows them. */
export function valuesOf(rules: Rules, language: Language): Values {
  const amount = (minor: number | null) => (minor === null ? "" : money(BigInt(minor), language));
  const texts = <Name extends keyof Rules>(names: readonly Name[], write: (value: Rules[Name]) => string) =>
    Object.fromEntries(names.map((name) => [name, write(rules[name])])) as Record<Name, string>;
  const { name, contractType, vatMethod, invoiceVat, vatSplit, payoutOf, payoutIncludesCash, weekStartDay } = rules;
  const { autoNextPeriod } = rules;
  return {
    ...{
      name,
      contractType,
      vatMethod,
      invoiceVat,
      vatSplit,
      payoutOf,
      payoutIncludesCash,
      weekStartDay,
      autoNextPeriod,
    },
    ...texts(AMOUNTS, amount),
    ...texts(LIMITS, amount),
    ...texts(RATES, (rate) => percent(rate, language)),
    dailyFee: {
      UBER: amount(rules.dailyFee.UBER),
      BOLT: amount(rules.dailyFee.BOLT),
      FREENOW: amount(rules.dailyFee.FREENOW),
    },
    additionalCosts: rules.additionalCosts.map((cost) => ({ name: cost.name, amount: amount(cost.amount) })),
    costRates: rules.costRates.map(({ type, incomeFrom, incomeTo, rate }) => ({
      type,
      incomeFrom: amount(incomeFrom),
      incomeTo: amount(incomeTo),
      rate: type === "AMOUNT" ? amount(rate) : percent(rate, language),
    })),
  };
}

/** What the form asks the server to save. Its texts have been found readable; an empty one that must be a number is 0. */
export function rulesOf(values: Values, language: Language): Rules {
  const number = (text: string) => parseHundredths(text, language) ?? 0;
  const limit = (text: string) => (text.trim() ? number(text) : null);
  const numbers = <Name extends Amounts | Limits | Rates, As>(names: readonly Name[], read: (text: string) => As) =>
    Object.fromEntries(names.map((name) => [name, read(values[name])])) as Record<Name, As>;
  const { contractType, vatMethod, invoiceVat, vatSplit, payoutOf, payoutIncludesCash, weekStartDay, autoNextPeriod } =
    values;
  return {
    ...{ contractType, vatMethod, invoiceVat, vatSplit, payoutOf, payoutIncludesCash, weekStartDay, autoNextPeriod },
    name: values.name.trim(),
    ...numbers(AMOUNTS, number),
    ...numbers(LIMITS, limit),
    ...numbers(RATES, number),
    dailyFee: {
      UBER: number(values.dailyFee.UBER),
      BOLT: number(values.dailyFee.BOLT),
      FREENOW: number(values.dailyFee.FREENOW),
    },
    additionalCosts: values.additionalCosts.map(({ name, amount }) => ({ name: name.trim(), amount: number(amount) })),
    costRates: values.costRates.map(({ type, incomeFrom, incomeTo, rate }) => ({
      type,
      incomeFrom: number(incomeFrom),
      incomeTo: limit(incomeTo),
      rate: number(rate),
    })),
  };
}

const names = Object.keys(blank) as (keyof Rules)[];

const equal = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Which rules differ between two versions. */
export const changedRules = (a: Rules, b: Rules) => names.filter((name) => !equal(a[name], b[name]));

/** Whether two schemas would be settled alike, and are called the same. */
export const sameRules = (a: Rules, b: Rules) => changedRules(a, b).length === 0;

/** The newest schema with those fields of mine that I changed since the one I started from. */
export function merged(base: Rules, mine: Rules, newest: Schema): Rules {
  return { ...newest, ...Object.fromEntries(changedRules(base, mine).map((name) => [name, mine[name]])) };
}

/** Where a field that the server names stands in the form: `costRates[1].rate`. */
export const pathOf = (field: string): (string | number)[] =>
  field.split(/[.[\]]+/).flatMap((part) => (part === "" ? [] : /^\d+$/.test(part) ? Number(part) : part));

/** A bound that the server names, as the person would type it into the field. */
export function boundOf(field: string, bound: string, values: Values, language: Language): string {
  const [list, index, part] = pathOf(field);
  if (!/^-?\d+$/.test(bound) || part === "name" || field === "name" || (list === field && !isNumber(field)))
    return bound;
  const flat = list === "costRates" && typeof index === "number" && values.costRates[index]?.type === "AMOUNT";
  const rate = field.endsWith("Bp") || (list === "costRates" && part === "rate" && !flat);
  return rate ? `${percent(Number(bound), language)} %` : money(BigInt(bound), language);
}

const isNumber = (field: string) => [...AMOUNTS, ...LIMITS, ...RATES].includes(field as Amounts);
