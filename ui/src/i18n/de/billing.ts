import documents from "../../../../locales/de/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { documents };
export const texts: Complete<BillingTexts, typeof found, "de"> = found;
