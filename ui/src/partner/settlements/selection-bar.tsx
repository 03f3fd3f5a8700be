import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useAmounts } from "../../session/amounts";
import type { Selection } from "./selection";

interface SelectionBarProps {
  selection: Selection;
  /** How many the filter leaves. */
  total: number;
  /** How many of them can be chosen that are not; zero or unknown: nothing is offered. */
  more: number;
  onAll: () => void;
  /** Whether the others are on their way. */
  adding: boolean;
  pages: ReactNode;
  children: ReactNode;
}

/** What is chosen, here and elsewhere, what it sums up to, and what can be done with it. */
export function SelectionBar({ selection, total, more, onAll, adding, pages, children }: SelectionBarProps) {
  const { t } = useTranslation("settlements");
  const { full } = useAmounts();
  return (
    <div className="settlements-bar" role="region" aria-label={t("selection")}>
      <div className="settlements-bar-sum" aria-live="polite">
        <strong>{t("selectedOf", { number: selection.count, total, sum: full(selection.sum) })}</strong>
        {selection.elsewhere > 0 && (
          <small>
            {t(selection.hidden ? "selectedHidden" : "selectedWhere", {
              here: selection.onPage,
              elsewhere: selection.elsewhere,
            })}
          </small>
        )}
      </div>
      {more > 0 && (
        <Button kind="link" loading={adding} onClick={onAll}>
          {t("selectAll", { number: more })}
        </Button>
      )}
      <Button kind="text" onClick={selection.clear}>
        {t("clearSelection")}
      </Button>
      <div className="settlements-bar-end">
        {pages}
        {children}
      </div>
    </div>
  );
}
