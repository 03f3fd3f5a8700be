import { useTranslation } from "../../i18n/translation";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useWaiting } from "./queries";

/** Beside the menu's entry: how many people of files wait for a decision. */
export function WaitingBadge() {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const waiting = useWaiting().data ?? 0;
  if (waiting === 0) return null;
  return (
    <span className="sidebar-badge">
      <span aria-hidden>{count(waiting, language)}</span>
      <span className="sr-only">{t("badge", { count: waiting })}</span>
    </span>
  );
}
