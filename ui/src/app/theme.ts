import { theme as antd, type ThemeConfig } from "antd";
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

const FONT = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The custom properties that every stylesheet takes its colours from. */
export function variables(brand: string, mode: Mode): Record<string, string> {
  const own = Object.entries(palette[mode]).map(([name, value]) => [`--${kebab(name)}`, value]);
  const partner = Object.entries(brandSet(brand, mode)).map(([name, value]) => [`--brand-${kebab(name)}`, value]);
  return Object.fromEntries([...own, ...partner, ["--font", FONT]]) as Record<string, string>;
}

/** Where a theme is worn: a phone has targets large enough for thumbs, a still one moves nothing. */
interface Wearing {
  phone: boolean;
  still: boolean;
}

/** The Ant Design theme of a partner. */
export function makeTheme(brand: string, mode: Mode, { phone, still }: Wearing): ThemeConfig {
  const p = palette[mode];
  const b = brandSet(brand, mode);
  const dark = mode === "dark";
  const tick = dark ? p.page : WHITE;
  // Ant Design recomputes seed colours, most of all in the dark algorithm: without this pin the checked contrast is lost.
  const pin: typeof antd.darkAlgorithm = (seed, map) => ({
    ...(map ?? antd.defaultAlgorithm(seed)),
    colorPrimary: b.text,
    colorPrimaryHover: b.textHover,
    colorPrimaryActive: b.textHover,
    colorPrimaryBg: b.bg,
    colorPrimaryBgHover: b.bgStrong,
    colorPrimaryBorder: b.text,
    colorPrimaryText: b.text,
    colorLink: b.text,
    colorLinkHover: b.textHover,
    colorLinkActive: b.textHover,
    colorSuccess: p.success,
    colorWarning: p.warning,
    colorError: p.danger,
    colorInfo: p.info,
    colorErrorText: p.danger,
  });
  return {
    algorithm: [dark ? antd.darkAlgorithm : antd.defaultAlgorithm, pin],
    token: {
      fontFamily: FONT,
      fontSize: phone ? 16 : 14,
      fontSizeSM: 13,
      fontWeightStrong: 600,
      colorPrimary: b.text,
      colorSuccessBg: p.successBg,
      colorWarningBg: p.warningBg,
      colorErrorBg: p.dangerBg,
      colorInfoBg: p.infoBg,
      colorText: p.text,
      colorTextHeading: p.text,
      colorTextSecondary: p.text2,
      colorTextTertiary: p.text3,
      colorTextDescription: p.text3,
      colorTextPlaceholder: p.text3,
      colorTextDisabled: p.disabled,
      colorBgLayout: p.page,
      colorBgContainer: p.surface,
      colorBgElevated: p.raised,
      colorFillAlter: p.sunken,
      colorBgMask: p.mask,
      colorBorder: p.field,
      colorBorderSecondary: p.line,
      colorSplit: p.line,
      controlOutline: b.bgStrong,
      controlOutlineWidth: 3,
      borderRadiusXS: 4,
      borderRadiusSM: 6,
      borderRadius: 8,
      borderRadiusLG: 12,
      controlHeightSM: phone ? 44 : 28,
      controlHeight: phone ? 48 : 34,
      controlHeightLG: phone ? 52 : 40,
      boxShadow: p.shadow,
      boxShadowSecondary: p.shadow,
      boxShadowTertiary: "none",
      motion: !still,
      motionDurationFast: "0.08s",
      motionDurationMid: "0.14s",
      motionDurationSlow: "0.2s",
    },
    components: {
      Button: {
        colorPrimary: b.fill,
        colorPrimaryHover: b.fillHover,
        colorPrimaryActive: b.fillActive,
        primaryColor: b.on,
        primaryShadow: "none",
        defaultShadow: "none",
        dangerShadow: "none",
        fontWeight: 500,
        contentFontSizeLG: 15,
        defaultBorderColor: p.buttonLine,
      },
      Table: {
        headerBg: p.surface,
        headerColor: p.text3,
        headerSplitColor: "transparent",
        borderColor: p.line,
        rowHoverBg: p.sunken,
        rowSelectedBg: b.bg,
        rowSelectedHoverBg: b.bgStrong,
        cellPaddingBlockSM: 5,
        cellPaddingInlineSM: 10,
        cellFontSizeSM: 13,
      },
      Segmented: {
        trackBg: p.sunken,
        trackPadding: 3,
        itemColor: p.text2,
        itemSelectedBg: dark ? "#2B323A" : p.surface,
      },
      // Ticks are white by default, which nobody can see on a light brand in the dark.
      Checkbox: { colorWhite: tick },
      Radio: { colorWhite: tick },
      Switch: { colorPrimary: b.text, handleBg: tick },
      Progress: { defaultColor: b.text, remainingColor: p.line },
      Select: { optionSelectedBg: b.bg },
      Modal: { borderRadiusLG: 14 },
      Drawer: { paddingLG: phone ? 16 : 24, footerPaddingInline: phone ? 16 : 24, footerPaddingBlock: 12 },
      Form: { labelHeight: 20, verticalLabelPadding: "0 0 6px" },
    },
  };
}
