import { withTextsOf } from ".";

/** From here on every language shown has the texts about invoices too; resolves when the one on screen has them. */
export const withInvoiceTexts = () =>
  withTextsOf("invoices", {
    pl: () => import("./pl/invoices"),
    en: () => import("./en/invoices"),
    de: () => import("./de/invoices"),
    uk: () => import("./uk/invoices"),
    ru: () => import("./ru/invoices"),
  });
