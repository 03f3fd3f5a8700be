import imports from "../../../../locales/ru/imports.json";
import type { Complete, ImportTexts } from "../words";

const found = { imports };
export const texts: Complete<ImportTexts, typeof found, "ru"> = found;
