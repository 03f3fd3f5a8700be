import licences from "../../../../locales/pl/licences.json";
import type { Complete, LicenceTexts } from "../words";

const found = { licences };
export const texts: Complete<LicenceTexts, typeof found, "pl"> = found;
