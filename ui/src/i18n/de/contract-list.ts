import contractList from "../../../../locales/de/contract-list.json";
import contractPages from "../../../../locales/de/contract-pages.json";
import contractTexts from "../../../../locales/de/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractList, contractPages, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "de"> = found;
