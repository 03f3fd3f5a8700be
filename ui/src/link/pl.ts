import found from "../../../locales/pl/summary.json";
import type { English } from "../i18n/english";
import type { CompleteFile } from "../i18n/words";

export { explain } from "../i18n/pl/explain";
export const summary: CompleteFile<English["summary"], typeof found, "pl"> = found;
