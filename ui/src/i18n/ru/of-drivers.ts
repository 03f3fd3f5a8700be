import accounts from "../../../../locales/ru/accounts.json";
import board from "../../../../locales/ru/board.json";
import type { Complete, DriverTexts } from "../words";

const found = { accounts, board };
export const texts: Complete<DriverTexts, typeof found, "ru"> = found;
