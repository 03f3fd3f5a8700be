import invoices from "../../../../locales/uk/invoices.json";
import type { Complete, InvoiceTexts } from "../words";

const found = { invoices };
export const texts: Complete<InvoiceTexts, typeof found, "uk"> = found;
