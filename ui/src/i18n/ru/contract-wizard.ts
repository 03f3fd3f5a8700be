import contractWizard from "../../../../locales/ru/contract-wizard.json";
import type { Complete, WizardTexts } from "../words";

const found = { contractWizard };
export const texts: Complete<WizardTexts, typeof found, "ru"> = found;
