import accountant from "../../../../locales/ru/accountant.json";
import documents from "../../../../locales/ru/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { accountant, documents };
export const texts: Complete<BillingTexts, typeof found, "ru"> = found;
