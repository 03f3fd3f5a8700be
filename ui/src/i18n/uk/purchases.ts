import purchases from "../../../../locales/uk/purchases.json";
import type { Complete, PurchaseTexts } from "../words";

const found = { purchases };
export const texts: Complete<PurchaseTexts, typeof found, "uk"> = found;
