import licences from "../../../../locales/ru/licences.json";
import type { Complete, LicenceTexts } from "../words";

const found = { licences };
export const texts: Complete<LicenceTexts, typeof found, "ru"> = found;
