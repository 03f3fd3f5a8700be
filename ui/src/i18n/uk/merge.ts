import merge from "../../../../locales/uk/merge.json";
import type { Complete, MergeTexts } from "../words";

const found = { merge };
export const texts: Complete<MergeTexts, typeof found, "uk"> = found;
