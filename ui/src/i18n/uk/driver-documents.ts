import documentTypes from "../../../../locales/uk/document-types.json";
import driverDocuments from "../../../../locales/uk/driver-documents.json";
import type { Complete, DocumentTexts } from "../words";

const found = { driverDocuments: { ...driverDocuments, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "uk"> = found;
