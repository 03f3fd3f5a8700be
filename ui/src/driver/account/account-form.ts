import type { FieldCode, Problem } from "../../api/problem";
import { parseEmail, parsePhone, parsePostCode } from "../../format/official/contact";
import { parseSteuerId, parseUstIdNr } from "../../format/official/german";
import { type Parsed, refused } from "../../format/official/official";
import { parseNip, parsePesel } from "../../format/official/polish";
import type { Account, NewAccount } from "./queries";

/** What a driver types, as texts. */
export type Filled = Required<Omit<NewAccount, "pesel" | "address">> & {
  pesel: string;
  address: Required<NonNullable<NewAccount["address"]>>;
};

/** What is wrong with a field, by the name the server gives it. */
export type Wrong = Record<string, { code: FieldCode; params?: Record<string, string> }>;

const NAME_MAX = 50;

const empty = { street: "", houseNumber: "", apartmentNumber: "", city: "", postCode: "", country: "" };

/** A stored phone number as people write it. */
export function written(phone: string): string {
  const parsed = parsePhone(phone, "PL");
  return parsed.ok ? parsed.display : phone;
}

/** The form of an account, or of a person who has none yet. */
export function filledFrom(
  known: Partial<Account> & Pick<Filled, "firstName" | "lastName" | "email" | "summaryLanguage">,
): Filled {
  return {
    phone: known.phone ?? "",
    cities: known.cities ?? [],
    taxId: known.taxId ?? "",
    newsletter: known.newsletter ?? false,
    carStatus: known.carStatus ?? "",
    activity: known.activity ?? "unknown",
    bailiffSeizure: known.bailiffSeizure ?? false,
    firstName: known.firstName,
    lastName: known.lastName,
    email: known.email,
    summaryLanguage: known.summaryLanguage,
    pesel: "",
    address: { ...empty, ...known.address },
  };
}

/** What is sent: without a PESEL the one that was given before stays. */
export function sentFrom({ pesel, ...filled }: Filled): NewAccount {
  return { ...filled, ...(pesel.trim() && { pesel }) };
}

/** What the server would refuse, said before anything is sent. The server checks again. */
export function wrongIn(filled: Filled, country: string): Wrong {
  const wrong: Wrong = {};
  const name = (field: "firstName" | "lastName") => {
    const length = Array.from(filled[field].trim().replace(/\s+/g, " ")).length;
    if (length === 0) wrong[field] = { code: "required" };
    if (length > NAME_MAX) wrong[field] = { code: "too_long", params: { max: String(NAME_MAX) } };
  };
  const number = (field: string, text: string, parse: (text: string) => Parsed, required = false) => {
    if (text.trim() === "") {
      if (required) wrong[field] = { code: "required" };
    } else if (!parse(text).ok) wrong[field] = { code: "wrong_format" };
  };
  name("firstName");
  name("lastName");
  // Without its country a number could be anybody's.
  number(
    "phone",
    filled.phone,
    (text) => (/^(\+|00)/.test(text) ? parsePhone(text, country) : refused("country")),
    true,
  );
  number("email", filled.email, parseEmail, true);
  if (filled.cities.length === 0) wrong.cities = { code: "required" };
  number("taxId", filled.taxId, (text) => parseTaxId(text, country));
  number("pesel", filled.pesel, parsePesel);
  const home = filled.address.country || country;
  if (home === "PL" || home === "DE")
    number("address.postCode", filled.address.postCode, (text) => parsePostCode(text, home));
  return wrong;
}

const parseTaxId = (text: string, country: string): Parsed => {
  if (country !== "DE") return parseNip(text);
  const business = parseUstIdNr(text);
  return business.ok ? business : parseSteuerId(text);
};

/** What the server said is wrong. */
export const wrongOf = (problem: Problem): Wrong =>
  Object.fromEntries(
    problem.fields.map(({ name, code, params }) => [name.replace(/\[.*/, ""), { code, ...(params && { params }) }]),
  );

/** Whether anything differs from what was there. */
export const differs = (before: Filled, after: Filled) => JSON.stringify(before) !== JSON.stringify(after);
