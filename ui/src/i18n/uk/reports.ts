import charts from "../../../../locales/uk/charts.json";
import reports from "../../../../locales/uk/reports.json";
import type { Complete, ReportTexts } from "../words";

const found = { charts, reports };
export const texts: Complete<ReportTexts, typeof found, "uk"> = found;
