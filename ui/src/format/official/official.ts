/**
 * Why a text was refused; the same words as the server's package official has for its errors:
 * - length: too short or too long, or empty
 * - characters: something in it can never stand in such a number
 * - form: allowed characters in a place where they cannot be
 * - check_digit: a digit is wrong or two are swapped
 * - country: a country that has none, or is not known here
 * - date: the date of birth in it does not exist
 * - not_issued: the sum is right, but no such number is given out
 */
export type Reason = "length" | "characters" | "form" | "check_digit" | "country" | "date" | "not_issued";

/** A number in its one canonical form and in the form for reading, or why it is none. */
export type Parsed<More = unknown> =
  | ({ ok: true; value: string; display: string } & More)
  | { ok: false; reason: Reason };

export const refused = (reason: Reason) => ({ ok: false, reason }) as const;

export const accepted = (value: string, display = value) => ({ ok: true, value, display }) as const;

/**
 * Spaces and marks that nobody sees: numbers copied from web pages, PDF files and address books of phones are full of
 * them. The list is written out, because tables of Unicode differ between languages and versions. U+202E is not on it:
 * it turns digits round on the screen, so that the typist saw another number.
 */
export const INVISIBLE =
  "\\t-\\r \\x85\\xa0\\xad\\u061c\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202d\\u202f\\u205f-\\u206f\\u3000\\ufeff";

export const DASHES = "\\-\\u2010-\\u2015\\u2212";

const skipped = new RegExp(`[${INVISIBLE}${DASHES}]`, "g");

/**
 * The ASCII letters, upper case, and digits of a text without its spaces and dashes. Anything else is refused and not
 * replaced: a full-width or Arabic digit is no slip of the finger, it is another keyboard or an attack.
 */
export function compact(text: string): string | undefined {
  const kept = text.replace(skipped, "");
  return /^[A-Za-z0-9]*$/.test(kept) ? kept.toUpperCase() : undefined;
}

/** The digits of a number that may be written with the letters of its country before it. */
export function digitsOf(text: string, country = ""): string | undefined {
  const kept = compact(text);
  const digits = kept?.startsWith(country) ? kept.slice(country.length) : kept;
  return digits !== undefined && allDigits(digits) ? digits : undefined;
}

export const allDigits = (text: string) => /^[0-9]*$/.test(text);

/** Tells a placeholder such as 1111111111, which many check sums let through. */
export const repeated = (text: string) => /^(.)\1*$/.test(text);

/** Each digit times its weight, added; digits without a weight do not count. */
export function weighted(digits: string, ...weights: number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}

/** The check of ISO 7064 MOD 11,10 over all digits, the last one being the check digit. */
export function mod1110(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (product + Number(digits.slice(-1))) % 10 === 1;
}
