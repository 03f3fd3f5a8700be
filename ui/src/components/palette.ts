import { contrast, INK, mix, readable, shift, toLch, WHITE } from "./colour";

export type Mode = "light" | "dark";

/** Saldo's own colour, used until a partner's is known. */
export const PETROL = "#0B5D68";

export const palette = {
  light: {
    page: "#F6F7F8",
    surface: "#FFFFFF",
    raised: "#FFFFFF",
    sunken: "#F0F2F4",
    line: "#E4E7EB",
    field: "#87909C",
    buttonLine: "#CDD3DA",
    text: "#12171D",
    text2: "#465160",
    text3: "#5F6977",
    disabled: "#9BA4AF",
    success: "#11734A",
    warning: "#855000",
    danger: "#B42318",
    info: "#2F5D94",
    successBg: "#E8F5EE",
    warningBg: "#FDF3DF",
    dangerBg: "#FDECEA",
    infoBg: "#EAF1F9",
    mask: "rgba(18,23,29,.38)",
    shadow: "0 1px 2px rgba(16,24,32,.06), 0 8px 28px rgba(16,24,32,.14)",
  },
  dark: {
    page: "#0D1013",
    surface: "#14181C",
    raised: "#1B2026",
    sunken: "#1A1F24",
    line: "#272D34",
    field: "#6E7885",
    buttonLine: "#3A424B",
    text: "#E9ECEF",
    text2: "#B0B8C2",
    text3: "#929CA8",
    disabled: "#5C6570",
    success: "#5CC492",
    warning: "#E3AE55",
    danger: "#FF8F85",
    info: "#8DB8EC",
    successBg: "#12291F",
    warningBg: "#2C2210",
    dangerBg: "#331A18",
    infoBg: "#15253A",
    mask: "rgba(0,0,0,.6)",
    shadow: "0 1px 2px rgba(0,0,0,.5), 0 12px 36px rgba(0,0,0,.55)",
  },
} as const;

/**
 * The colours the interface makes of a partner's colour. Every text on every background it can
 * meet reaches 4.5:1, whatever colour comes in.
 */
export function brandSet(given: string, mode: Mode) {
  const p = palette[mode];
  const dark = mode === "dark";
  const colourless = contrast(given, p.surface) < 1.25 && toLch(given)[1] < 0.04;
  const brand = colourless ? (dark ? p.text : INK) : given;

  let fill = brand;
  if (dark && contrast(fill, p.surface) < 3) fill = readable(brand, [p.surface, p.raised], 3, 1);
  if (!dark && contrast(fill, p.surface) < 1.5) fill = readable(brand, [p.surface], 1.5, -1);
  let on = WHITE;
  if (contrast(WHITE, fill) < 4.5) {
    if (contrast(INK, fill) >= 4.5) on = INK;
    else fill = readable(fill, [WHITE], 4.5, -1);
  }

  const tint = (strongest: number, target: number) => {
    for (let share = strongest; share > 0.02; share -= 0.01) {
      const candidate = mix(dark ? fill : brand, p.surface, share);
      if (contrast(p.text3, candidate) >= target) return candidate;
    }
    return mix(dark ? fill : brand, p.surface, 0.02);
  };
  const bg = tint(dark ? 0.18 : 0.08, 4.8);
  const bgStrong = tint(dark ? 0.26 : 0.14, 4.5);
  const text = readable(brand, [p.surface, p.page, p.sunken, p.raised, bg, bgStrong], dark ? 5.5 : 4.5, dark ? 1 : -1);
  const safe = (colour: string) => (contrast(on, colour) >= 4.5 ? colour : fill);

  return {
    fill,
    on,
    fillHover: safe(shift(fill, on === INK ? 0.03 : -0.04)),
    fillActive: safe(shift(fill, on === INK ? -0.03 : -0.07)),
    text,
    textHover: shift(text, dark ? 0.05 : -0.06),
    bg,
    bgStrong,
  };
}

export const FONT = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The custom properties that every stylesheet takes its colours from. */
export function variables(brand: string, mode: Mode): Record<string, string> {
  const own = Object.entries(palette[mode]).map(([name, value]) => [`--${kebab(name)}`, value]);
  const partner = Object.entries(brandSet(brand, mode)).map(([name, value]) => [`--brand-${kebab(name)}`, value]);
  return Object.fromEntries([...own, ...partner, ["--font", FONT]]) as Record<string, string>;
}
