import { withTextsOf } from ".";

/** From here on every language shown has the texts about invoices from KSeF too; resolves when the one on screen has them. */
export const withPurchaseTexts = () =>
  withTextsOf("purchases", {
    pl: () => import("./pl/purchases"),
    en: () => import("./en/purchases"),
    de: () => import("./de/purchases"),
    uk: () => import("./uk/purchases"),
    ru: () => import("./ru/purchases"),
  });
