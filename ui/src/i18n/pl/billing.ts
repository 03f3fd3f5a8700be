import accountant from "../../../../locales/pl/accountant.json";
import documents from "../../../../locales/pl/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { accountant, documents };
export const texts: Complete<BillingTexts, typeof found, "pl"> = found;
