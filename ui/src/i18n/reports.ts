import { withTextsOf } from ".";

/** From here on every language shown has the texts about reports too; resolves when the one on screen has them. */
export const withReportTexts = () =>
  withTextsOf("reports", {
    pl: () => import("./pl/reports"),
    en: () => import("./en/reports"),
    de: () => import("./de/reports"),
    uk: () => import("./uk/reports"),
    ru: () => import("./ru/reports"),
  });
