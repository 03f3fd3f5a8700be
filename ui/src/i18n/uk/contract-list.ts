import contractEvents from "../../../../locales/uk/contract-events.json";
import contractList from "../../../../locales/uk/contract-list.json";
import contractTexts from "../../../../locales/uk/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractEvents, contractList, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "uk"> = found;
