import documentTypes from "../../../../locales/en/document-types.json";
import driverDocuments from "../../../../locales/en/driver-documents.json";
import type { Complete, DocumentTexts } from "../words";

const found = { driverDocuments: { ...driverDocuments, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "en"> = found;
