import { withTextsOf } from ".";

/** From here on every language shown has the texts about documents of settlements too; resolves when the one on screen has them. */
export const withBillingTexts = () =>
  withTextsOf("billing", {
    pl: () => import("./pl/billing"),
    en: () => import("./en/billing"),
    de: () => import("./de/billing"),
    uk: () => import("./uk/billing"),
    ru: () => import("./ru/billing"),
  });
