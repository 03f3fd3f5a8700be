import contractEvents from "../../../../locales/de/contract-events.json";
import contractList from "../../../../locales/de/contract-list.json";
import contractTexts from "../../../../locales/de/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractEvents, contractList, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "de"> = found;
