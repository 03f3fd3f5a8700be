import imports from "../../../../locales/en/imports.json";
import type { Complete, ImportTexts } from "../words";

const found = { imports };
export const texts: Complete<ImportTexts, typeof found, "en"> = found;
