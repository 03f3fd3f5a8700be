import { accepted, digitsOf, mod1110, type Parsed, refused, repeated } from "./official";

/** The German VAT id of a business: nine digits, with or without DE. */
export function parseUstIdNr(text: string): Parsed {
  const digits = digitsOf(text, "DE");
  if (digits === undefined) return refused("characters");
  if (digits.length !== 9) return refused("length");
  if (!mod1110(digits)) return refused("check_digit");
  if (digits.startsWith("0") || repeated(digits)) return refused("not_issued");
  return accepted(`DE${digits}`);
}

/** The German tax id of a person: eleven digits. */
export function parseSteuerId(text: string): Parsed {
  const digits = digitsOf(text);
  if (digits === undefined) return refused("characters");
  if (digits.length !== 11) return refused("length");
  if (!mod1110(digits)) return refused("check_digit");
  if (digits.startsWith("0") || !drawn(digits.slice(0, 10))) return refused("not_issued");
  return accepted(digits, digits.replace(/^(..)(...)(...)(...)$/, "$1 $2 $3 $4"));
}

/**
 * Tells whether ten digits can come from the office, which gives out only numbers in which one digit stands twice or,
 * since 2016, three times but not in a row, and every other digit at most once.
 */
function drawn(digits: string): boolean {
  const times = Array.from({ length: 10 }, (_, digit) => digits.split(String(digit)).length - 1);
  return times.filter((n) => n > 1).length === 1 && Math.max(...times) <= 3 && !/(.)\1\1/.test(digits);
}
