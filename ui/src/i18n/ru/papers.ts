import documentTypes from "../../../../locales/ru/document-types.json";
import papers from "../../../../locales/ru/papers.json";
import type { Complete, DocumentTexts } from "../words";

const found = { papers: { ...papers, ...documentTypes } };
export const texts: Complete<DocumentTexts, typeof found, "ru"> = found;
