import documents from "../../../../locales/de/documents.json";
import type { BillingTexts, Complete } from "../words";

const found = { documents };
export const texts: Complete<BillingTexts, typeof found, "de"> = found;
