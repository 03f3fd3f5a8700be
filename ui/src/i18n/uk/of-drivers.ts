import accounts from "../../../../locales/uk/accounts.json";
import board from "../../../../locales/uk/board.json";
import type { Complete, DriverTexts } from "../words";

const found = { accounts, board };
export const texts: Complete<DriverTexts, typeof found, "uk"> = found;
