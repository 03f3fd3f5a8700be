import { theme as antd, type ThemeConfig } from "antd";
import { WHITE } from "../components/colour";
import { brandSet, type Mode, palette, FONT } from "../components/palette";

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
