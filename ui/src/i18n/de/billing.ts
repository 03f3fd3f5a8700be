import accountant from "../../../../locales/de/accountant.json";
import documents from "../../../../locales/de/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { accountant, documents };
export const texts: Complete<BillingTexts, typeof found, "de"> = found;
