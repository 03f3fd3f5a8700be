import { withTextsOf } from ".";

/** From here on every language shown has the texts of the contract wizard too; resolves when the one on screen has them. */
export const withWizardTexts = () =>
  withTextsOf("contractWizard", {
    pl: () => import("./pl/contract-wizard"),
    en: () => import("./en/contract-wizard"),
    de: () => import("./de/contract-wizard"),
    uk: () => import("./uk/contract-wizard"),
    ru: () => import("./ru/contract-wizard"),
  });
