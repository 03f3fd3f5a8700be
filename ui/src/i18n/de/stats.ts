import charts from "../../../../locales/de/charts.json";
import stats from "../../../../locales/de/stats.json";
import type { Complete, StatsTexts } from "../words";

const found = { charts, stats };
export const texts: Complete<StatsTexts, typeof found, "de"> = found;
