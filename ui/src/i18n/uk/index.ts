import common from "../../../../locales/uk/common.json";
import accounts from "../../../../locales/uk/driver-menu.json";
import frame from "../../../../locales/uk/frame.json";
import faults from "../../../../locales/uk/network.json";
import explain from "../../../../locales/uk/own.json";
import type { Complete, FirstTexts } from "../words";

const found = { accounts, common, explain, faults, frame };
export const texts: Complete<FirstTexts, typeof found, "uk"> = found;
