import { withDocumentTexts } from "../../i18n/driver-documents";

/** A driver's documents, with the texts that they need. */
export const list = async () => (await Promise.all([import("./documents-page"), withDocumentTexts()]))[0];

/** One document of a driver. */
export const one = async () => (await Promise.all([import("./document-page"), withDocumentTexts()]))[0];
