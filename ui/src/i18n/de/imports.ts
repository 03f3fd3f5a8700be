import imports from "../../../../locales/de/imports.json";
import type { Complete, ImportTexts } from "../words";

const found = { imports };
export const texts: Complete<ImportTexts, typeof found, "de"> = found;
