import contractEvents from "../../../../locales/en/contract-events.json";
import contractList from "../../../../locales/en/contract-list.json";
import contractTexts from "../../../../locales/en/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractEvents, contractList, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "en"> = found;
