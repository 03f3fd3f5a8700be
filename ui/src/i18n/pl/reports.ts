import charts from "../../../../locales/pl/charts.json";
import reports from "../../../../locales/pl/reports.json";
import type { Complete, ReportTexts } from "../words";

const found = { charts, reports };
export const texts: Complete<ReportTexts, typeof found, "pl"> = found;
