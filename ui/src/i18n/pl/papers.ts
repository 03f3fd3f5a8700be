import documentTypes from "../../../../locales/pl/document-types.json";
import papers from "../../../../locales/pl/papers.json";
import type { Complete, DocumentTexts } from "../words";

const found = { papers: { ...papers, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "pl"> = found;
