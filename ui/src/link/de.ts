import found from "../../../locales/de/summary.json";
import type { English } from "../i18n/english";
import type { CompleteFile } from "../i18n/words";

export { explain } from "../i18n/de/explain";
export const summary: CompleteFile<English["summary"], typeof found, "de"> = found;
