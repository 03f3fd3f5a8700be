import charts from "../../../../locales/uk/charts.json";
import stats from "../../../../locales/uk/stats.json";
import type { Complete, StatsTexts } from "../words";

const found = { charts, stats };
export const texts: Complete<StatsTexts, typeof found, "uk"> = found;
