import documents from "../../../../locales/pl/billing-documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { documents };
export const texts: Complete<BillingTexts, typeof found, "pl"> = found;
