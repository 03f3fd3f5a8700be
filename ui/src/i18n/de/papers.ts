import documentTypes from "../../../../locales/de/document-types.json";
import papers from "../../../../locales/de/papers.json";
import type { Complete, DocumentTexts } from "../words";

const found = { papers: { ...papers, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "de"> = found;
