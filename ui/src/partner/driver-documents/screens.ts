import { withDocumentTexts } from "../../i18n/driver-documents";

/** The documents of all drivers, with the texts that they need. */
export const list = async () => (await Promise.all([import("./documents-page"), withDocumentTexts()]))[0];

/** One document, or those of one driver. */
export const one = async () => (await Promise.all([import("./opened-page"), withDocumentTexts()]))[0];
