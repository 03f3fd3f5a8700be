import { parseAccount } from "../../format/official/account";
import { parseEmail, parsePhone, parsePostCode } from "../../format/official/contact";
import { parseSteuerId, parseUstIdNr } from "../../format/official/german";
import { accepted, type Parsed } from "../../format/official/official";
import { parseNip } from "../../format/official/polish";
import type { Changes, Profile } from "./queries";

/** What the form holds: official numbers as people read them, the commission in percent. */
export type Values = Omit<Changes, "version" | "commission"> & { commission: number | null };

/** Where a partner may be registered; the server has the same list. */
export const COUNTRIES =
  "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MD MT NL NO PL PT RO SE SI SK UA".split(" ");

const STEUERNUMMER = /^(\d{2,3}\/\d{3,4}\/\d{4,5}|\d{13})$/;

/** A NIP in Poland; in Germany a USt-IdNr, a Steuer-ID or a Steuernummer. */
export function parseTaxId(text: string, country: string): Parsed {
  if (country !== "DE") return parseNip(text);
  const person = parseSteuerId(text);
  if (person.ok) return person;
  const number = text.replace(/\s/g, "");
  return STEUERNUMMER.test(number) ? accepted(number) : parseUstIdNr(text);
}

/** The fields that hold official numbers, and how each is read. */
export const parsers = {
  email: parseEmail,
  phone: parsePhone,
  taxId: parseTaxId,
  account: parseAccount,
} satisfies Partial<Record<keyof Values, (text: string, country: string) => Parsed>>;

type Official = keyof typeof parsers;

const officials = Object.keys(parsers) as Official[];

const withOfficials = <T extends Pick<Values, Official>>(
  of: T,
  country: string,
  write: (parsed: Parsed & { ok: true }) => string,
) => {
  const written = { ...of };
  for (const name of officials) {
    const parsed = parsers[name](of[name], country);
    if (parsed.ok) written[name] = write(parsed);
  }
  return written;
};

/** The profile as the form shows it. */
export function valuesOf(profile: Changes, country: string): Values {
  const { name, color, email, phone, www, taxId, cities, services, notes, referral, account } = profile;
  const { provisionCharge, driversDescribe, settlementFrequency, driversChooseFrequency } = profile;
  const values = {
    ...{ name, color, email, phone, www, taxId, cities, services, notes, referral, account },
    ...{ provisionCharge, driversDescribe, settlementFrequency, driversChooseFrequency },
    commission: profile.commission / 100,
    address: { ...profile.address, country: profile.address.country || country },
  };
  return withOfficials(values, country, ({ display }) => display);
}

/** What the form asks the server to save. Two texts that mean the same number give the same. */
export function changesOf(values: Values, version: number, country: string): Changes {
  const { street, houseNumber, apartmentNumber, city, postCode, country: where } = values.address;
  const address = {
    street: street.trim(),
    houseNumber: houseNumber.trim(),
    apartmentNumber: apartmentNumber.trim(),
    city: city.trim(),
    postCode: postCode.trim(),
    country: where,
  };
  const code = parsePostCode(address.postCode, address.country);
  return {
    ...withOfficials(values, country, ({ value }) => value),
    version,
    name: values.name.trim(),
    www: values.www.trim(),
    color: values.color.toUpperCase(),
    commission: Math.round((values.commission ?? 0) * 100),
    address: code.ok ? { ...address, postCode: code.value } : address,
  };
}

const equal = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const named = (changes: Changes) => Object.entries(changes).sort(([a], [b]) => a.localeCompare(b));

/** Whether two changes would save the same, whichever profiles they were made from. */
export const sameChanges = (a: Changes, b: Changes) => equal(named({ ...a, version: 0 }), named({ ...b, version: 0 }));

function merge<T extends object>(base: T, mine: T, newest: T): T {
  const merged = { ...newest };
  for (const name of Object.keys(mine) as (keyof T)[]) if (!equal(mine[name], base[name])) merged[name] = mine[name];
  return merged;
}

/** The newest profile with those fields of mine that I changed since the one I started from. */
export function merged(base: Changes, mine: Changes, newest: Profile): Changes {
  return { ...merge(base, mine, newest), address: merge(base.address, mine.address, newest.address) };
}
