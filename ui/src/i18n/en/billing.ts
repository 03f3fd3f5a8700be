import accountant from "../../../../locales/en/accountant.json";
import documents from "../../../../locales/en/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { accountant, documents };
export const texts: Complete<BillingTexts, typeof found, "en"> = found;
