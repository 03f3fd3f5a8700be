import invoices from "../../../../locales/en/invoices.json";
import type { Complete, InvoiceTexts } from "../words";

const found = { invoices };
export const texts: Complete<InvoiceTexts, typeof found, "en"> = found;
