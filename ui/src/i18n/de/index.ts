import common from "../../../../locales/de/common.json";
import accounts from "../../../../locales/de/driver-menu.json";
import frame from "../../../../locales/de/frame.json";
import faults from "../../../../locales/de/network.json";
import explain from "../../../../locales/de/own.json";
import type { Complete, FirstTexts } from "../words";

const found = { accounts, common, explain, faults, frame };
export const texts: Complete<FirstTexts, typeof found, "de"> = found;
