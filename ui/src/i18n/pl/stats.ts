import charts from "../../../../locales/pl/charts.json";
import stats from "../../../../locales/pl/stats.json";
import type { Complete, StatsTexts } from "../words";

const found = { charts, stats };
export const texts: Complete<StatsTexts, typeof found, "pl"> = found;
