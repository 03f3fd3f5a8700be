import { withWizardTexts } from "../../i18n/contract-wizard";

/** Filling in the contract documents of a driver, with the texts that it needs. */
export const fill = async () => (await Promise.all([import("./fill-page"), withWizardTexts()]))[0];
