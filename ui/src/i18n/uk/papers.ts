import documentTypes from "../../../../locales/uk/document-types.json";
import papers from "../../../../locales/uk/papers.json";
import type { Complete, DocumentTexts } from "../words";

const found = { papers: { ...papers, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "uk"> = found;
