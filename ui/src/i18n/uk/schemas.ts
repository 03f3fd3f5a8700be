import schemas from "../../../../locales/uk/schema-texts.json";
import type { Complete, SchemaTexts } from "../words";

const found = { schemas };
export const texts: Complete<SchemaTexts, typeof found, "uk"> = found;
