import imports from "../../../../locales/pl/imports.json";
import type { Complete, ImportTexts } from "../words";

const found = { imports };
export const texts: Complete<ImportTexts, typeof found, "pl"> = found;
