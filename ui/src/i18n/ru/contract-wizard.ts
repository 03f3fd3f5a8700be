import contractEvents from "../../../../locales/ru/contract-events.json";
import contractWizard from "../../../../locales/ru/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractEvents, contractWizard };
export const texts: Complete<WizardTexts, typeof found, "ru"> = found;
