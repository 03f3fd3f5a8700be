import { withTextsOf } from ".";

/** From here on every language shown has the texts about licences too; resolves when the one on screen has them. */
export const withLicenceTexts = () =>
  withTextsOf("licences", {
    pl: () => import("./pl/licences"),
    en: () => import("./en/licences"),
    de: () => import("./de/licences"),
    uk: () => import("./uk/licences"),
    ru: () => import("./ru/licences"),
  });
