import { withStatsTexts } from "../../i18n/stats";

/** A driver's statistics, with the texts that they need. */
export const page = async () => (await Promise.all([import("./stats-page"), withStatsTexts()]))[0];
