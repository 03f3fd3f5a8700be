import { MessageCircleQuestionMark } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { NavLink } from "react-router";

/** How many drivers wait for an answer, and the way to their questions. */
export function QuestionsBell({ waiting }: { waiting: number }) {
  const { t } = useTranslation("questions");
  return (
    <NavLink to="/questions" className="icon-button board-bell" aria-label={t("bell", { number: waiting })}>
      <MessageCircleQuestionMark aria-hidden size={20} strokeWidth={1.75} />
      <span className="board-bell-count">{waiting > 99 ? "99+" : waiting}</span>
    </NavLink>
  );
}
