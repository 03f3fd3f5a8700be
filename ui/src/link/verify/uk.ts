import found from "../../../../locales/uk/verify.json";
import type { English } from "../../i18n/english";
import type { CompleteFile } from "../../i18n/words";

export const words: CompleteFile<English["verify"], typeof found, "uk"> = found;
