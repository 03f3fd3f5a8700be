import { withInvoiceTexts } from "../../i18n/invoices";

/** The list, with the texts that it needs. */
export const list = async () => (await Promise.all([import("./invoices-page"), withInvoiceTexts()]))[0];

/** One invoice, or a new one. */
export const one = async () => (await Promise.all([import("./invoice-page"), withInvoiceTexts()]))[0];
