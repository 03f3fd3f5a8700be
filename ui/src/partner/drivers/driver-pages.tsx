import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { sizes } from "./driver-list";

interface PagesProps {
  total: number;
  page: number;
  size: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** Where in the list this page is, and the way to any other. */
export function Pages({ total, page, size, onPage, onSize }: PagesProps) {
  const { t } = useTranslation("drivers");
  const to = Math.min(page * size, total);
  const last = Math.max(1, Math.ceil(total / size));
  const go = (typed: string) => {
    const wanted = Math.trunc(Number(typed));
    if (wanted >= 1) onPage(Math.min(wanted, last));
  };
  return (
    <nav className="drivers-pages" aria-label={t("pages")}>
      <label>
        {t("perPage")}
        <select className="drivers-select" value={size} onChange={({ target }) => onSize(Number(target.value))}>
          {sizes.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <span aria-live="polite">{t("range", { from: Math.min((page - 1) * size + 1, total), to, total })}</span>
      <Button
        aria-label={t("previous")}
        icon={<ChevronLeft {...ICON} />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      {last > 2 && (
        <label>
          {t("page")}
          <input
            key={page}
            className="drivers-select drivers-page"
            inputMode="numeric"
            defaultValue={page}
            onKeyDown={({ key, currentTarget }) => key === "Enter" && go(currentTarget.value)}
            onBlur={({ target }) => target.value !== String(page) && go(target.value)}
          />
          {t("ofPages", { last })}
        </label>
      )}
      <Button
        aria-label={t("next")}
        icon={<ChevronRight {...ICON} />}
        disabled={to >= total}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
