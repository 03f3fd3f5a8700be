import merge from "../../../../locales/ru/merge.json";
import type { Complete, MergeTexts } from "../words";

const found = { merge };
export const texts: Complete<MergeTexts, typeof found, "ru"> = found;
