import charts from "../../../../locales/en/charts.json";
import reports from "../../../../locales/en/reports.json";
import type { Complete, ReportTexts } from "../words";

const found = { charts, reports };
export const texts: Complete<ReportTexts, typeof found, "en"> = found;
