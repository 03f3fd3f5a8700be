import merge from "../../../../locales/en/merge.json";
import type { Complete, MergeTexts } from "../words";

const found = { merge };
export const texts: Complete<MergeTexts, typeof found, "en"> = found;
