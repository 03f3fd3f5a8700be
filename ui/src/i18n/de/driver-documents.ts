import documentTypes from "../../../../locales/de/document-types.json";
import driverDocuments from "../../../../locales/de/driver-documents.json";
import type { Complete, DocumentTexts } from "../words";

const found = { driverDocuments: { ...driverDocuments, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "de"> = found;
