import { withInvoiceTexts } from "../../i18n/invoices";
import { withPurchaseTexts } from "../../i18n/purchases";

/** The list, with the texts that it needs. */
export const list = async () => (await Promise.all([import("./invoices-page"), withInvoiceTexts()]))[0];

/** Files to upload for drivers. */
export const upload = async () => (await Promise.all([import("./upload-page"), withInvoiceTexts()]))[0];

/** One invoice to review. */
export const review = async () => (await Promise.all([import("./review-page"), withInvoiceTexts()]))[0];

/** Invoices from KSeF, with the texts that they need. */
export const purchases = async () => (await Promise.all([import("./purchases-page"), withPurchaseTexts()]))[0];
