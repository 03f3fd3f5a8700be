import { parsePhone } from "./contact";

/** Every country with what its phone numbers begin with. */
const codes: ReadonlyMap<string, string> = new Map(
  (
    "AF93 AL355 DZ213 AD376 AO244 AR54 AM374 AU61 AT43 AZ994 BH973 BD880 BY375 BE32 BZ501 BJ229 " +
    "BT975 BO591 BA387 BW267 BR55 BN673 BG359 BF226 BI257 KH855 CM237 CV238 CF236 TD235 CL56 CN86 " +
    "CO57 KM269 CG242 CD243 CR506 CI225 HR385 CU53 CY357 CZ420 DK45 DJ253 EC593 EG20 SV503 GQ240 " +
    "ER291 EE372 SZ268 ET251 FJ679 FI358 FR33 GA241 GM220 GE995 DE49 GH233 GR30 GT502 GN224 GW245 " +
    "GY592 HT509 HN504 HK852 HU36 IS354 IN91 ID62 IR98 IQ964 IE353 IL972 IT39 JP81 JO962 KZ7 " +
    "KE254 XK383 KW965 KG996 LA856 LV371 LB961 LS266 LR231 LY218 LI423 LT370 LU352 MO853 MG261 MW265 " +
    "MY60 MV960 ML223 MT356 MR222 MU230 MX52 MD373 MC377 MN976 ME382 MA212 MZ258 MM95 NA264 NP977 " +
    "NL31 NZ64 NI505 NE227 NG234 KP850 MK389 NO47 OM968 PK92 PS970 PA507 PG675 PY595 PE51 PH63 " +
    "PL48 PT351 QA974 RO40 RU7 RW250 SM378 SA966 SN221 RS381 SC248 SL232 SG65 SK421 SI386 SO252 " +
    "ZA27 KR82 SS211 ES34 LK94 SD249 SR597 SE46 CH41 SY963 TW886 TJ992 TZ255 TH66 TL670 TG228 " +
    "TN216 TR90 TM993 UG256 UA380 AE971 GB44 US1 CA1 UY598 UZ998 VE58 VN84 YE967 ZM260 ZW263 " +
    "JM1 DO1 TT1 BB1 BS1"
  )
    .split(" ")
    .map((one) => [one.slice(0, 2), one.slice(2)]),
);

/** What numbers of a country begin with: `+48`. */
export const callingCode = (country: string) => `+${codes.get(country) ?? ""}`;

/** A country as phone numbers know it: `Polska +48`. */
export const dialled = ({ code, name }: Country) => `${name} ${callingCode(code)}`;

/** Where most drivers are from, after the country of the business. */
const near = ["PL", "DE", "UA", "BY", "GE", "MD", "LT", "CZ", "SK", "IN", "TR", "UZ"];

interface Country {
  code: string;
  name: string;
}

// Naming and sorting them takes longer than drawing a form, which is drawn at every key.
const made = new Map<string, Country[]>();

/** All countries: that of the business, those that most drivers are from, then the others by their names. */
export function countriesFor(home: string, language: string): Country[] {
  const key = `${home} ${language}`;
  const known = made.get(key);
  if (known) return known;
  const names = new Intl.DisplayNames(language, { type: "region" });
  const first = [home, ...near.filter((code) => code !== home)];
  const named = (code: string) => ({ code, name: names.of(code) ?? code });
  const others = [...codes.keys()].filter((code) => !first.includes(code)).map(named);
  others.sort((a, b) => a.name.localeCompare(b.name, language));
  const list = [...first.map(named), ...others];
  made.set(key, list);
  return list;
}

/** A number of several countries belongs to the one with most people. */
const main: Record<string, string> = { 1: "US", 7: "RU" };

/** The country and the rest of an international number. */
export function splitPhone(number: string, home: string): { country: string; national: string } {
  const parsed = parsePhone(number, home);
  if (!parsed.ok) return { country: home, national: number };
  const digits = parsed.value.slice(1);
  for (const length of [3, 2, 1]) {
    const code = digits.slice(0, length);
    const country = main[code] ?? [...codes.keys()].find((one) => codes.get(one) === code);
    if (country) {
      const shown = parsed.display.startsWith(`+${code} `) ? parsed.display.slice(length + 2) : digits.slice(length);
      return { country, national: shown };
    }
  }
  return { country: home, national: number };
}

// In these countries the zero is a part of the number.
const keepsZero = new Set(["IT", "SM"]);
// In these one dials 8, or 80, before the number.
const dialsEight: Record<string, RegExp> = { RU: /^8(?=\d{10}$)/, KZ: /^8(?=\d{10}$)/, BY: /^80(?=\d{9}$)/ };

/**
 * The international number of what was typed for a country. What begins with + or 00 says its country itself. A Polish
 * number does not begin with 0: whoever types one has a number of another country, so it stays as it is and is refused.
 */
export function joinPhone(country: string, typed: string): string {
  const digits = typed.trim();
  if (digits === "" || /^(\+|00)/.test(digits)) return digits;
  const plain = digits.replace(/[^\d]/g, "");
  if (country === "PL" && plain.startsWith("0")) return digits;
  const trunk = dialsEight[country] ?? (keepsZero.has(country) ? /^$/ : /^0/);
  return `${callingCode(country)}${plain.replace(trunk, "")}`;
}
