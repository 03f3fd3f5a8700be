import purchases from "../../../../locales/en/purchases.json";
import type { Complete, PurchaseTexts } from "../words";

const found = { purchases };
export const texts: Complete<PurchaseTexts, typeof found, "en"> = found;
