import common from "../../../../locales/pl/common.json";
import accounts from "../../../../locales/pl/driver-menu.json";
import frame from "../../../../locales/pl/frame.json";
import faults from "../../../../locales/pl/network.json";
import explain from "../../../../locales/pl/own.json";
import type { Complete, FirstTexts } from "../words";

const found = { accounts, common, explain, faults, frame };
export const texts: Complete<FirstTexts, typeof found, "pl"> = found;
