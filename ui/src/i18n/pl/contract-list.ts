import contractEvents from "../../../../locales/pl/contract-events.json";
import contractList from "../../../../locales/pl/contract-list.json";
import contractTexts from "../../../../locales/pl/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractEvents, contractList, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "pl"> = found;
