import accounts from "../../../../locales/en/accounts.json";
import board from "../../../../locales/en/board.json";
import type { Complete, DriverTexts } from "../words";

const found = { accounts, board };
export const texts: Complete<DriverTexts, typeof found, "en"> = found;
