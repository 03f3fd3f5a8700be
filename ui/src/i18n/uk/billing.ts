import documents from "../../../../locales/uk/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { documents };
export const texts: Complete<BillingTexts, typeof found, "uk"> = found;
