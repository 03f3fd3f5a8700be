import contractList from "../../../../locales/en/contract-list.json";
import contractPages from "../../../../locales/en/contract-pages.json";
import contractTexts from "../../../../locales/en/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractList, contractPages, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "en"> = found;
