import common from "../../../../locales/ru/common.json";
import accounts from "../../../../locales/ru/driver-menu.json";
import frame from "../../../../locales/ru/frame.json";
import faults from "../../../../locales/ru/network.json";
import explain from "../../../../locales/ru/own.json";
import type { Complete, FirstTexts } from "../words";

const found = { accounts, common, explain, faults, frame };
export const texts: Complete<FirstTexts, typeof found, "ru"> = found;
