import { parseEmail, parsePostCode } from "../../format/official/contact";
import { parseUstIdNr } from "../../format/official/german";
import { parseNip } from "../../format/official/polish";
import type { Buyer } from "./queries";

/** Only companies of these countries can buy: of others nobody here knows how they are taxed. */
const EU = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

/** The countries of the European Union by their names in a language. */
export function countriesOfEU(language: string) {
  const names = new Intl.DisplayNames([language], { type: "region" });
  return EU.map((code) => ({ code, name: names.of(code) ?? code })).toSorted((a, b) =>
    a.name.localeCompare(b.name, language),
  );
}

export type BuyerField = keyof Buyer;

/** What must be filled in. */
export const NEEDED: readonly BuyerField[] = ["name", "taxId", "street", "houseNumber", "postCode", "city", "email"];

/** Whether something typed has the form that is asked for. What cannot be told here, the server tells. */
export function isFine(field: BuyerField, buyer: Buyer): boolean {
  const text = buyer[field].trim();
  if (text === "") return !NEEDED.includes(field);
  if (field === "email") return parseEmail(text).ok;
  if (field === "postCode" && (buyer.country === "PL" || buyer.country === "DE"))
    return parsePostCode(text, buyer.country).ok;
  if (field === "taxId" && buyer.country === "PL") return parseNip(text.replace(/^PL/i, "")).ok;
  if (field === "taxId" && buyer.country === "DE" && /^DE/i.test(text)) return parseUstIdNr(text).ok;
  return true;
}
