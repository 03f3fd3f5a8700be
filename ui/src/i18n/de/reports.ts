import charts from "../../../../locales/de/charts.json";
import reports from "../../../../locales/de/reports.json";
import type { Complete, ReportTexts } from "../words";

const found = { charts, reports };
export const texts: Complete<ReportTexts, typeof found, "de"> = found;
