import { withWizardTexts } from "../../i18n/contract-wizard";

/** A driver's contracts, with the texts that they need. */
export const list = async () => (await Promise.all([import("./contracts-page"), withWizardTexts()]))[0];

/** Filling in and signing contract documents. */
export const wizard = async () => (await Promise.all([import("./fill-page"), withWizardTexts()]))[0];
