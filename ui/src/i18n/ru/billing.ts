import documents from "../../../../locales/ru/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { documents };
export const texts: Complete<BillingTexts, typeof found, "ru"> = found;
