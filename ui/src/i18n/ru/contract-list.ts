import contractList from "../../../../locales/ru/contract-list.json";
import contractPages from "../../../../locales/ru/contract-pages.json";
import contractTexts from "../../../../locales/ru/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractList, contractPages, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "ru"> = found;
