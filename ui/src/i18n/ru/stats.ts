import charts from "../../../../locales/ru/charts.json";
import stats from "../../../../locales/ru/stats.json";
import type { Complete, StatsTexts } from "../words";

const found = { charts, stats };
export const texts: Complete<StatsTexts, typeof found, "ru"> = found;
