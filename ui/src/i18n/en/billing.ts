import documents from "../../../../locales/en/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { documents };
export const texts: Complete<BillingTexts, typeof found, "en"> = found;
