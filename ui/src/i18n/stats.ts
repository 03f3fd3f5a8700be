import { withTextsOf } from ".";

/** From here on every language shown has the texts about statistics too; resolves when the one on screen has them. */
export const withStatsTexts = () =>
  withTextsOf("stats", {
    pl: () => import("./pl/stats"),
    en: () => import("./en/stats"),
    de: () => import("./de/stats"),
    uk: () => import("./uk/stats"),
    ru: () => import("./ru/stats"),
  });
