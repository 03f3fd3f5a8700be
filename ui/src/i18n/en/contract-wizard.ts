import contractWizard from "../../../../locales/en/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractWizard };
export const texts: Complete<WizardTexts, typeof found, "en"> = found;
