import { accepted, digitsOf, type Parsed, refused, repeated, weighted } from "./official";

/** The Polish tax id of a business: ten digits, with or without PL, spaces and dashes. */
export function parseNip(text: string): Parsed {
  const digits = digitsOf(text, "PL");
  if (digits === undefined) return refused("characters");
  if (digits.length !== 10) return refused("length");
  // A remainder of 10 is no digit: such numbers are never given out.
  if (weighted(digits, 6, 5, 7, 2, 3, 4, 5, 6, 7) % 11 !== Number(digits[9])) return refused("check_digit");
  // The number begins with the code of a tax office; the schemas of the ministry refuse 0.. and .00.
  if (/^(0|.00)/.test(digits) || repeated(digits)) return refused("not_issued");
  return accepted(digits, digits.replace(/^(...)(...)(..)(..)$/, "$1-$2-$3-$4"));
}

/** The Polish number of a person: eleven digits that hold the date of birth and the sex. */
export function parsePesel(text: string): Parsed<{ birthOn: string; sex: "F" | "M" }> {
  const digits = digitsOf(text);
  if (digits === undefined) return refused("characters");
  if (digits.length !== 11) return refused("length");
  if (weighted(digits, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1) % 10 !== 0) return refused("check_digit");
  const birthOn = birthIn(digits);
  if (birthOn === undefined) return refused("date");
  if (repeated(digits)) return refused("not_issued");
  return { ...accepted(digits), birthOn, sex: Number(digits[9]) % 2 === 0 ? "F" : "M" };
}

/** The date of birth in a PESEL, if there is such a date; it may lie in the future. */
function birthIn(digits: string): string | undefined {
  const month = Number(digits.slice(2, 4));
  // The century is added to the month: nothing for 19.., 20 for 20.., 40 for 21.., 60 for 22.., 80 for 18..
  const century = ["19", "20", "21", "22", "18"][Math.floor(month / 20)] ?? "";
  const date = `${century}${digits.slice(0, 2)}-${String(month % 20).padStart(2, "0")}-${digits.slice(4, 6)}`;
  const instant = new Date(`${date}T00:00:00Z`);
  // Engines take 31 April for 1 May.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date) ? date : undefined;
}

/** The Polish statistical number of a business: nine digits, or fourteen for a local unit of it. */
export function parseRegon(text: string): Parsed {
  const digits = digitsOf(text);
  if (digits === undefined) return refused("characters");
  if (digits.length !== 9 && digits.length !== 14) return refused("length");
  // A remainder of 10 counts as 0, so a few wrong digits pass unseen.
  const business = (weighted(digits, 8, 9, 2, 3, 4, 5, 6, 7) % 11) % 10;
  if (business !== Number(digits[8])) return refused("check_digit");
  if (digits.length === 14) {
    const unit = (weighted(digits, 2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8) % 11) % 10;
    if (unit !== Number(digits[13])) return refused("check_digit");
  }
  return repeated(digits.slice(0, 9)) ? refused("not_issued") : accepted(digits);
}
