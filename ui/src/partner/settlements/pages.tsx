import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { SIZE } from "./address";

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** Where in the list this page is, and the way to the ones beside it. */
export function Pages({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const to = Math.min(page * SIZE, total);
  const written = (number: number) => count(number, language);
  return (
    <nav className="settlements-pages" aria-label={t("pages")}>
      <span aria-live="polite">
        {t("range", { from: written(Math.min((page - 1) * SIZE + 1, total)), to: written(to), total: written(total) })}
      </span>
      <button type="button" aria-label={t("previousPage")} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft {...ICON} />
      </button>
      <button type="button" aria-label={t("nextPage")} disabled={to >= total} onClick={() => onPage(page + 1)}>
        <ChevronRight {...ICON} />
      </button>
    </nav>
  );
}
