import purchases from "../../../../locales/de/purchases.json";
import type { Complete, PurchaseTexts } from "../words";

const found = { purchases };
export const texts: Complete<PurchaseTexts, typeof found, "de"> = found;
