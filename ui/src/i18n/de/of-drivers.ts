import accounts from "../../../../locales/de/accounts.json";
import board from "../../../../locales/de/board.json";
import type { Complete, DriverTexts } from "../words";

const found = { accounts, board };
export const texts: Complete<DriverTexts, typeof found, "de"> = found;
