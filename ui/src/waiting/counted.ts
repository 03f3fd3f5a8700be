import { useTranslation } from "../i18n/translation";
import type { Kind } from "../device/database";
import { useLanguage } from "../i18n";

/** How much of each kind there is, in words: 2 entries, 1 invoice. */
export function useCounted() {
  const { t } = useTranslation("tracking");
  const language = useLanguage();
  return (of: readonly { kind: Kind }[]) => {
    const n = (...kinds: Kind[]) => of.filter(({ kind }) => kinds.includes(kind)).length;
    const [entries, invoices, documents] = [n("trip", "time"), n("invoice"), n("document")];
    const said = [
      entries > 0 && t("entries", { count: entries }),
      invoices > 0 && t("invoices", { count: invoices }),
      documents > 0 && t("documents", { count: documents }),
    ].filter((one) => one !== false);
    return new Intl.ListFormat(language, { type: "unit", style: "short" }).format(said);
  };
}
