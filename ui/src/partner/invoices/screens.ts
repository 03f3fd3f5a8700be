import { withInvoiceTexts } from "../../i18n/invoices";

/** The list, with the texts that it needs. */
export const list = async () => (await Promise.all([import("./invoices-page"), withInvoiceTexts()]))[0];

/** Files to upload for drivers. */
export const upload = async () => (await Promise.all([import("./upload-page"), withInvoiceTexts()]))[0];

/** One invoice to review. */
export const review = async () => (await Promise.all([import("./review-page"), withInvoiceTexts()]))[0];
