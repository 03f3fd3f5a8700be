import contractWizard from "../../../../locales/de/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractWizard };
export const texts: Complete<WizardTexts, typeof found, "de"> = found;
