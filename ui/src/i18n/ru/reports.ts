import charts from "../../../../locales/ru/charts.json";
import reports from "../../../../locales/ru/reports.json";
import type { Complete, ReportTexts } from "../words";

const found = { charts, reports };
export const texts: Complete<ReportTexts, typeof found, "ru"> = found;
