import documentTypes from "../../../../locales/ru/document-types.json";
import driverDocuments from "../../../../locales/ru/driver-documents.json";
import type { Complete, DocumentTexts } from "../words";

const found = { driverDocuments: { ...driverDocuments, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "ru"> = found;
