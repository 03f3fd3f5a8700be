import { withTextsOf } from ".";

/** From here on every language shown has the texts of a partner's contracts too; resolves when the one on screen has them. */
export const withContractTexts = () =>
  withTextsOf("contractList", {
    pl: () => import("./pl/contract-list"),
    en: () => import("./en/contract-list"),
    de: () => import("./de/contract-list"),
    uk: () => import("./uk/contract-list"),
    ru: () => import("./ru/contract-list"),
  });
