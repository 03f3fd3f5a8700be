import { accepted, allDigits, compact, type Parsed, refused, repeated, weighted } from "./official";

/**
 * The number of a bank account, an IBAN of any country of the registry. Twenty-six digits without letters are a Polish
 * account. The country is that of the bank: formats of national transfers hold no other.
 */
export function parseAccount(text: string): Parsed<{ country: string }> {
  let iban = compact(text);
  if (iban === undefined) return refused("characters");
  if (allDigits(iban)) {
    if (iban.length !== 26) return refused("length");
    iban = `PL${iban}`;
  }
  if (iban.length < 2) return refused("length");
  const country = iban.slice(0, 2);
  if (!/^[A-Z]+$/.test(country)) return refused("characters");
  const form = registry.get(country);
  if (form === undefined) return refused("country");
  const parts = [...`2n${form}`.matchAll(/(\d+)([nac])/g)].map(([, size, kind]) => ({ size: Number(size), kind }));
  if (iban.length !== 2 + parts.reduce((sum, { size }) => sum + size, 0)) return refused("length");
  if (!fits(iban.slice(2), parts)) return refused("characters");
  // The check digits are 98 minus a remainder. 00, 01 and 99 have the remainder of another pair, which is the right one.
  if (/^..(00|01|99)/.test(iban) || mod97(iban.slice(4) + iban.slice(0, 4)) !== 1) return refused("check_digit");
  // The eight digits of a bank and its branch at the head of a Polish account have a check digit of their own.
  if (country === "PL" && weighted(iban.slice(4), 3, 9, 7, 1, 3, 9, 7, 1) % 10 !== 0) return refused("check_digit");
  if (repeated(iban.slice(4))) return refused("not_issued");
  return { ...accepted(iban, iban.replace(/(.{4})(?=.)/g, "$1 ")), country };
}

/** Tells whether a text has digits (n), letters (a) or either (c) where its form has them. */
function fits(text: string, parts: { size: number; kind: string | undefined }[]): boolean {
  const classes = parts.map(({ size, kind }) => `[${kind === "a" ? "" : "0-9"}${kind === "n" ? "" : "A-Z"}]{${size}}`);
  return new RegExp(`^${classes.join("")}$`).test(text);
}

/** The remainder of a number in which A stands for 10 and Z for 35. */
function mod97(text: string): number {
  let remainder = 0;
  for (const sign of text) remainder = (remainder * (sign >= "A" ? 100 : 10) + Number.parseInt(sign, 36)) % 97;
  return remainder;
}

/** The form of the account after the check digits, by country: the IBAN registry of SWIFT, version 101. */
const registry = new Map(
  `
  AD:8n12c AE:19n AL:8n16c AT:16n AZ:4a20c BA:16n BE:12n BG:4a6n8c BH:4a14c BI:23n BR:23n1a1c BY:4c4n16c CH:5n12c
  CR:18n CY:8n16c CZ:20n DE:18n DJ:23n DK:14n DO:4c20n EE:16n EG:25n ES:20n FI:14n FK:2a12n FO:14n FR:10n11c2n
  GB:4a14n GE:2a16n GI:4a15c GL:14n GR:7n16c GT:24c HN:4a20n HR:17n HU:24n IE:4a14n IL:19n IQ:4a15n IS:22n
  IT:1a10n12c JO:4a4n18c KW:4a22c KZ:3n13c LB:4n20c LC:4a24c LI:5n12c LT:16n LU:3n13c LV:4a13c LY:21n MC:10n11c2n
  MD:20c ME:18n MK:3n10c2n MN:16n MR:23n MT:4a5n18c MU:4a19n3a NI:4a20n NL:4a10n NO:11n OM:3n16c PK:4a16c PL:24n
  PS:4a21c PT:21n QA:4a21c RO:4a16c RS:18n RU:14n15c SA:2n18c SC:4a20n3a SD:14n SE:20n SI:15n SK:20n SM:1a10n12c
  SO:19n ST:21n SV:4a20n TL:19n TN:20n TR:6n16c UA:6n19c VA:18n VG:4a16n XK:16n YE:4a4n18c
  `
    .trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
);
