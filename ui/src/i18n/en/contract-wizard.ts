import contractEvents from "../../../../locales/en/contract-events.json";
import contractWizard from "../../../../locales/en/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractEvents, contractWizard };
export const texts: Complete<WizardTexts, typeof found, "en"> = found;
