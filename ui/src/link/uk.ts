import found from "../../../locales/uk/summary.json";
import type { English } from "../i18n/english";
import type { CompleteFile } from "../i18n/words";

export { explain } from "../i18n/uk/explain";
export const summary: CompleteFile<English["summary"], typeof found, "uk"> = found;
