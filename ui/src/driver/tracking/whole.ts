/** The largest number that an odometer shows. */
const MOST = 9_999_999;

/** A whole number as people type it, with blanks or without; empty is 0. */
export function wholeOf(text: string): number | undefined {
  const digits = text.replace(/[\s.]/g, "");
  if (digits === "") return 0;
  const number = Number(digits);
  return /^\d+$/.test(digits) && number <= MOST ? number : undefined;
}
