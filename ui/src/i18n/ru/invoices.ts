import invoices from "../../../../locales/ru/invoices.json";
import type { Complete, InvoiceTexts } from "../words";

const found = { invoices };
export const texts: Complete<InvoiceTexts, typeof found, "ru"> = found;
