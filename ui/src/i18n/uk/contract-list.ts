import contractList from "../../../../locales/uk/contract-list.json";
import contractPages from "../../../../locales/uk/contract-pages.json";
import contractTexts from "../../../../locales/uk/contract-texts.json";
import type { Complete, ContractListTexts } from "../words";

const found = { contractList, contractPages, contractTexts };
export const texts: Complete<ContractListTexts, typeof found, "uk"> = found;
