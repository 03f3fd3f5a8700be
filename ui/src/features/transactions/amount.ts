const WRITTEN = /^([+\-−]?)(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d{1,12})(?:[.,](\d{1,2}))?$/;

/**
 * Reads an amount as people type it, "1 234,50" or "-12.5", into minor units. Nothing when it could be read in two ways
 * or not at all. Digits are never turned into a binary fraction.
 */
export function readAmount(text: string): number | undefined {
  const [, sign, whole, cents = ""] = WRITTEN.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const minor = Number(whole.replace(/\D/g, "") + cents.padEnd(2, "0"));
  return sign === "-" || sign === "−" ? -minor : minor;
}

/** An amount of minor units as it is typed. */
export function writtenAmount(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${minor < 0 ? "−" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`;
}
