import { withTextsOf } from ".";

/** From here on every language shown has the texts about fuel too; resolves when the one on screen has them. */
export const withFuelTexts = () =>
  withTextsOf("fuel", {
    pl: () => import("./pl/fuel"),
    en: () => import("./en/fuel"),
    de: () => import("./de/fuel"),
    uk: () => import("./uk/fuel"),
    ru: () => import("./ru/fuel"),
  });
