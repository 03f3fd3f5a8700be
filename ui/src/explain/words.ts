import type { Key as TextKey } from "../i18n/translation";
import { useTranslation } from "../i18n/translation";
import { percent } from "../format/hundredths";
import { money } from "../format/money";
import { useLanguage } from "../i18n";
import type { Figure } from "./figures";
import type { Explained, Part } from "./queries";
import { useProviderNames } from "./queries";
import { wholePart } from "./sums";

type Key = TextKey<"explain">;
type CategoryKey = Extract<Key, `category_${string}`>;
type RuleKey = Extract<Key, `rule_${string}`>;

const WHOLE = 10_000;

/** The number of an ISO week and its year. */
export const weekOf = (period: string) => ({ week: Number(period.slice(6)), year: period.slice(0, 4) });

/** Everything that codes and numbers of an explanation are called in the language on screen. */
export function useWords({ rules }: Pick<Explained, "rules">) {
  const { t } = useTranslation("explain");
  const language = useLanguage();
  const providerName = useProviderNames();
  const amount = (minor: number | bigint) => money(BigInt(minor), language);
  const rate = (points: number) => percent(points, language);
  const figure = (name: string, provider = "") => {
    const word = t(`figure_${name as Figure}`);
    return provider ? `${word}, ${providerName(provider)}` : word;
  };

  /** A field of the schema, of the partner or of the instance. */
  const rule = (field: string): string => {
    const listed = /^(\w+)\[(\d+)\]$/.exec(field);
    const at = Number(listed?.[2]);
    if (listed?.[1] === "additionalCosts") return rules.additionalCosts[at]?.name ?? t("rule_additionalCosts");
    const band = listed?.[1] === "costRates" ? rules.costRates[at] : undefined;
    if (band) {
      const from = amount(band.incomeFrom);
      const within =
        band.incomeTo === null ? t("bandFrom", { from }) : t("bandOf", { from, to: amount(band.incomeTo) });
      return `${t("rule_costRates")}, ${within}`;
    }
    return t(`rule_${field.replace(/\W/g, "_")}` as RuleKey);
  };

  /** What the number of a part is. */
  const partName = (part: Part): string => {
    switch (part.kind) {
      case "figure":
      case "app":
        return figure(part.figure ?? "", part.provider);
      case "rows":
        if (!part.category) return t("invoices");
        return `${t(`category_${part.category}` as CategoryKey)}, ${providerName(part.provider ?? "")}`;
      case "rule":
        return rule(part.rules?.[0] ?? "");
      case "band":
        return t("inBand");
      case "invoice":
        return part.figure ? figure(part.figure) : t("ofInvoice");
      case "carry":
        return (part.periods ?? []).map((period) => t("week", weekOf(period))).join(", ");
    }
  };

  /** The number of a part as it goes into the sum, and whether it is taken off. */
  const partNumber = (part: Part): { text: string; minus: boolean } => {
    const { amount: of, times, of: down } = part;
    const whole = wholePart(part);
    if (down === 1 && Math.abs(times) === 1 && whole !== undefined)
      return { text: amount(whole < 0n ? -whole : whole), minus: whole < 0n };
    if (down === 1) return { text: `${times} × ${amount(of)}`, minus: false };
    return { text: `${amount(of)} × ${share(times, down, rate)}`, minus: false };
  };

  return { t, language, amount, figure, rule, partName, partNumber, providerName };
}

/** `8 %`, `8/108`, `23/123 × 50 %`: rates are hundredths of a percent, and VAT inside an amount is a part of more than it. */
function share(times: number, of: number, rate: (points: number) => string): string {
  if (of === WHOLE) return `${rate(times)} %`;
  if (of < WHOLE * WHOLE) return `${rate(times)}/${rate(of)}`;
  const vat = of / WHOLE - WHOLE;
  return `${rate(vat)}/${rate(of / WHOLE)} × ${rate(times / vat)} %`;
}
