import { withTextsOf } from ".";

/** From here on every language shown has the texts about trips and working time too; resolves when the one on screen has them. */
export const withTrackingTexts = () =>
  withTextsOf("tracking", {
    pl: () => import("./pl/tracking"),
    en: () => import("./en/tracking"),
    de: () => import("./de/tracking"),
    uk: () => import("./uk/tracking"),
    ru: () => import("./ru/tracking"),
  });
