import contractEvents from "../../../../locales/uk/contract-events.json";
import contractWizard from "../../../../locales/uk/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractEvents, contractWizard };
export const texts: Complete<WizardTexts, typeof found, "uk"> = found;
