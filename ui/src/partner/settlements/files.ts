import { api } from "../../api/client";
import { fileOf } from "../../api/file";
import type { ExportFormat } from "../../components/export-menu";
import type { Language } from "../../i18n/languages";
import type { SettledFilter } from "../../kit/settled-query";

/** A filter without its page. */
type SettledChoice = Omit<SettledFilter, "page" | "size">;

/** All settlements of the filter, every figure in its own column. */
export const exportSettled = (query: SettledChoice, format: ExportFormat, lang: Language) =>
  fileOf(
    api.GET("/api/settlements/export", { params: { query: { ...query, format, lang } }, parseAs: "blob" }),
    `settlements.${format}`,
  );

/** What was paid on the days from the first to the last. */
export const payoutReport = (from: string, to: string, lang: Language) =>
  fileOf(api.GET("/api/reports/payout", { params: { query: { from, to, lang } }, parseAs: "blob" }), "payout.xlsx");
