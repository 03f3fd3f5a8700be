import contractEvents from "../../../../locales/pl/contract-events.json";
import contractWizard from "../../../../locales/pl/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractEvents, contractWizard };
export const texts: Complete<WizardTexts, typeof found, "pl"> = found;
