import licences from "../../../../locales/en/licences.json";
import type { Complete, LicenceTexts } from "../words";

const found = { licences };
export const texts: Complete<LicenceTexts, typeof found, "en"> = found;
