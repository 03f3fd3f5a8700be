import imports from "../../../../locales/uk/imports.json";
import type { Complete, ImportTexts } from "../words";

const found = { imports };
export const texts: Complete<ImportTexts, typeof found, "uk"> = found;
