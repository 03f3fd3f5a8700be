import { withReportTexts } from "../../i18n/reports";

/** A driver's reports, with the texts that they need. */
export const page = async () => (await Promise.all([import("./report-page"), withReportTexts()]))[0];
