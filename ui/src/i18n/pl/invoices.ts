import invoices from "../../../../locales/pl/invoices.json";
import type { Complete, InvoiceTexts } from "../words";

const found = { invoices };
export const texts: Complete<InvoiceTexts, typeof found, "pl"> = found;
