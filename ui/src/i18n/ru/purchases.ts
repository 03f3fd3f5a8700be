import purchases from "../../../../locales/ru/purchases.json";
import type { Complete, PurchaseTexts } from "../words";

const found = { purchases };
export const texts: Complete<PurchaseTexts, typeof found, "ru"> = found;
