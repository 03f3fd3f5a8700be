import merge from "../../../../locales/de/merge.json";
import type { Complete, MergeTexts } from "../words";

const found = { merge };
export const texts: Complete<MergeTexts, typeof found, "de"> = found;
