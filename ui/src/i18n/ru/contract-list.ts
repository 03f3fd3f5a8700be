import contractEvents from "../../../../locales/ru/contract-events.json";
import contractList from "../../../../locales/ru/contract-list.json";
import contractTexts from "../../../../locales/ru/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractEvents, contractList, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "ru"> = found;
