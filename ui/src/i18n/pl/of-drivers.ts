import accounts from "../../../../locales/pl/accounts.json";
import board from "../../../../locales/pl/board.json";
import type { Complete, DriverTexts } from "../words";

const found = { accounts, board };
export const texts: Complete<DriverTexts, typeof found, "pl"> = found;
