import { withReportTexts } from "../../i18n/reports";

/** The partner's reports, with the texts that they need. */
export const pages = async () => (await Promise.all([import("./pages"), withReportTexts()]))[0];

/** One report, run. */
export const one = async () => (await Promise.all([import("./report-page"), withReportTexts()]))[0];
