import licences from "../../../../locales/de/licences.json";
import type { Complete, LicenceTexts } from "../words";

const found = { licences };
export const texts: Complete<LicenceTexts, typeof found, "de"> = found;
