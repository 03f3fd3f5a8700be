import schemas from "../../../../locales/de/schema-texts.json";
import type { Complete, SchemaTexts } from "../words";

const found = { schemas };
export const texts: Complete<SchemaTexts, typeof found, "de"> = found;
