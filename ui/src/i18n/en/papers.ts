import documentTypes from "../../../../locales/en/document-types.json";
import papers from "../../../../locales/en/papers.json";
import type { Complete, DocumentTexts } from "../words";

const found = { papers: { ...papers, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "en"> = found;
