import contractEvents from "../../../../locales/de/contract-events.json";
import contractWizard from "../../../../locales/de/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractEvents, contractWizard };
export const texts: Complete<WizardTexts, typeof found, "de"> = found;
