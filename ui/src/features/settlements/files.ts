import { answer, api } from "../../api/client";
import type { Language } from "../../i18n/languages";
import type { SettledFilter } from "./settled-queries";

export type ExportFormat = "csv" | "xlsx";

/** A filter without its page. */
export type SettledChoice = Omit<SettledFilter, "page" | "size">;

type Answer = Promise<{ data?: Blob; error?: unknown; response: Response }>;

/** A file with the name that the server gives it. */
async function named(call: Answer, otherwise: string) {
  const content = await answer(call);
  const { response } = await call;
  const said = /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "");
  return { content, name: said?.[1] ?? otherwise };
}

/** All settlements of the filter, every figure in its own column. */
export const exportSettled = (query: SettledChoice, format: ExportFormat, lang: Language) =>
  named(
    api.GET("/api/settlements/export", { params: { query: { ...query, format, lang } }, parseAs: "blob" }),
    `settlements.${format}`,
  );

/** What was paid on the days from the first to the last. */
export const payoutReport = (from: string, to: string, lang: Language) =>
  named(api.GET("/api/reports/payout", { params: { query: { from, to, lang } }, parseAs: "blob" }), "payout.xlsx");
