import charts from "../../../../locales/en/charts.json";
import stats from "../../../../locales/en/stats.json";
import type { Complete, StatsTexts } from "../words";

const found = { charts, stats };
export const texts: Complete<StatsTexts, typeof found, "en"> = found;
