import { accepted, allDigits, DASHES, INVISIBLE, type Parsed, refused } from "./official";

const invisible = new RegExp(`[${INVISIBLE}]`, "g");
const seen = new RegExp(`[^${INVISIBLE}]`);
const dashes = new RegExp(`[${DASHES}]`, "g");

/**
 * A post code of PL, 00-001, or DE, 10115. The dash of a Polish one is required: without it the five digits are a German
 * one, and somebody typed them into the wrong country.
 */
export function parsePostCode(text: string, country: string): Parsed {
  const kept = text.replace(invisible, "");
  const code = country === "PL" ? kept.replace(dashes, "-") : kept;
  if (!(country === "PL" ? /^[0-9-]*$/ : /^[0-9]*$/).test(code)) return refused("characters");
  if (country === "PL") {
    if (code.length !== 6) return refused("length");
    if (!/^\d\d-\d\d\d$/.test(code)) return refused("form");
    return code === "00-000" ? refused("not_issued") : accepted(code);
  }
  if (country !== "DE") return refused("country");
  if (code.length !== 5) return refused("length");
  // The regions begin with 01, Dresden.
  return code.startsWith("00") ? refused("not_issued") : accepted(code);
}

/**
 * A phone number of E.164, from an international number, begun with + or 00, or a national one of the country, PL or DE.
 * The country's own code is also understood without +, where it can be nothing else: exports of other programs write it
 * so.
 */
export function parsePhone(text: string, country: string): Parsed {
  const kept = text.replace(invisible, "").replace(dashes, "").replace(/[./]/g, "");
  if (!/^[0-9+()]*$/.test(kept)) return refused("characters");
  // In +49 (0)30 the zero is dialled only inside the country.
  const foreign = withoutBrackets(kept.replace("(0)", ""));
  const prefix = ["+", "00"].find((sign) => foreign.startsWith(sign));
  const dialled = prefix === undefined ? withoutBrackets(kept) : foreign.slice(prefix.length);
  if (dialled.includes("+")) return refused("form");
  if (prefix !== undefined) return subscriber(dialled);
  if (dialled === "") return refused("length");
  const national = dialled.replace(/^0/, "");
  if (country === "PL") {
    // A Polish 0 before the number is a habit from before 2009.
    return subscriber(/^48.{9}$/.test(dialled) ? dialled : `48${national}`);
  }
  if (country !== "DE") return refused("country");
  if (national !== dialled) return subscriber(`49${national}`);
  // No German number without its area code is so long.
  return /^49.{9}/.test(dialled) ? subscriber(dialled) : refused("form");
}

const withoutBrackets = (text: string) => text.replace(/[()]/g, "");

/** Checks the digits of an international number. */
function subscriber(dialled: string): Parsed {
  // A zero after the code is a trunk prefix that was left in; elsewhere, as in Italy, it may belong to the number.
  const digits = dialled.replace(/^(48|49)0/, "$1");
  if (digits.startsWith("0")) return refused("form");
  if (digits.length < 8 || digits.length > 15) return refused("length");
  if (digits.startsWith("48") && digits.length !== 11) return refused("length");
  // Spare codes of the numbering plan.
  if (/^(28|83|89)/.test(digits)) return refused("country");
  if (/^(48|49)0/.test(digits) || /^...0*$/.test(digits)) return refused("not_issued");
  return accepted(`+${digits}`, shown(`+${digits}`));
}

/** The number in groups where its country has a habit; German area codes have two to five digits. */
function shown(number: string): string {
  return number
    .replace(/^(\+48)(...)(...)(...)$/, "$1 $2 $3 $4")
    .replace(/^(\+49)(1[567].)(.+)$/, "$1 $2 $3")
    .replace(/^(\+49)([^ ])/, "$1 $2");
}

/**
 * An e-mail address in lower case. It can stand in the header of a mail and its domain could exist; that somebody reads
 * it is not promised. Case is dropped: no server that matters tells Anna@ from anna@, and people who sign in write both.
 * Letters beyond ASCII are refused, since most servers do not take them and they imitate others.
 */
export function parseEmail(text: string): Parsed {
  const typed = trimmed(text);
  if (!/^[A-Za-z0-9.@!#$%&'*+/=?^_`{|}~-]*$/.test(typed)) return refused("characters");
  const address = typed.toLowerCase();
  const [local = "", domain, ...more] = address.split("@");
  // Limits of RFC 5321 and of names in the DNS.
  if (address === "" || address.length > 254 || local.length > 64) return refused("length");
  if (domain === undefined || more.length > 0 || local === "" || `.${local}.`.includes("..")) return refused("form");
  if (domain === "localhost") return accepted(address);
  const labels = domain.split(".");
  for (const label of labels) {
    if (label.length > 63) return refused("length");
    if (label === "" || label.startsWith("-") || label.endsWith("-")) return refused("form");
    if (!/^[a-z0-9-]+$/.test(label)) return refused("characters");
  }
  // A last label of digits would be an address of a machine.
  return labels.length < 2 || allDigits(labels.at(-1) ?? "") ? refused("form") : accepted(address);
}

/** A text without the invisible at its ends; a pattern for the end alone would take the square of a long text's time. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && !seen.test(text.charAt(end - 1))) end--;
  const start = text.search(seen);
  return start < 0 ? "" : text.slice(start, end);
}
