import licences from "../../../../locales/uk/licences.json";
import type { Complete, LicenceTexts } from "../words";

const found = { licences };
export const texts: Complete<LicenceTexts, typeof found, "uk"> = found;
