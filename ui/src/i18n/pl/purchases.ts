import purchases from "../../../../locales/pl/purchases.json";
import type { Complete, PurchaseTexts } from "../words";

const found = { purchases };
export const texts: Complete<PurchaseTexts, typeof found, "pl"> = found;
