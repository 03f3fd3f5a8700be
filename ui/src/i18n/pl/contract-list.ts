import contractList from "../../../../locales/pl/contract-list.json";
import contractPages from "../../../../locales/pl/contract-pages.json";
import contractTexts from "../../../../locales/pl/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractList, contractPages, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "pl"> = found;
