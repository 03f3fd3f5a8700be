import accountant from "../../../../locales/uk/accountant.json";
import documents from "../../../../locales/uk/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { accountant, documents };
export const texts: Complete<BillingTexts, typeof found, "uk"> = found;
