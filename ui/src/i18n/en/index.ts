import common from "../../../../locales/en/common.json";
import accounts from "../../../../locales/en/driver-menu.json";
import frame from "../../../../locales/en/frame.json";
import faults from "../../../../locales/en/network.json";
import explain from "../../../../locales/en/own.json";
import type { Complete, FirstTexts } from "../words";

const found = { accounts, common, explain, faults, frame };
export const texts: Complete<FirstTexts, typeof found, "en"> = found;
