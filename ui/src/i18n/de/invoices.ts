import invoices from "../../../../locales/de/invoices.json";
import type { Complete, InvoiceTexts } from "../words";

const found = { invoices };
export const texts: Complete<InvoiceTexts, typeof found, "de"> = found;
