import { useConfig } from "./config";
import { currencySign, money } from "../format/money";
import { useLanguage } from "../i18n";

/** Writes amounts of minor units in the language on screen; with the currency where no column head names it. */
export function useAmounts() {
  const language = useLanguage();
  const { currency } = useConfig();
  const sign = currencySign(currency, language);
  const plain = (minor: number) => money(BigInt(minor), language);
  return { plain, sign, full: (minor: number) => plain(minor) + sign };
}
