import found from "../../../../locales/en/verify.json";
import type { English } from "../../i18n/english";
import type { CompleteFile } from "../../i18n/words";

export const words: CompleteFile<English["verify"], typeof found, "en"> = found;
