import documentTypes from "../../../../locales/pl/document-types.json";
import driverDocuments from "../../../../locales/pl/driver-documents.json";
import type { Complete, DocumentTexts } from "../words";

const found = { driverDocuments: { ...driverDocuments, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "pl"> = found;
