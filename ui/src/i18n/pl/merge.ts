import merge from "../../../../locales/pl/merge.json";
import type { Complete, MergeTexts } from "../words";

const found = { merge };
export const texts: Complete<MergeTexts, typeof found, "pl"> = found;
