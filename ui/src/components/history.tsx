import type { ReactNode } from "react";
import { useTranslation } from "../i18n/translation";
import { moment } from "../format/date";
import { useLanguage } from "../i18n";
import "./history.css";

/** What became of something, the newest first. */
export function History({ children }: { children: ReactNode }) {
  return <ol className="history">{children}</ol>;
}

interface HistoryLineProps {
  what: string;
  /** Nobody: the program itself. */
  who: string;
  at: string;
  timeZone: string;
  /** Each line of it in a span. */
  children?: ReactNode;
}

/** What was done, by whom and when. */
export function HistoryLine({ what, who, at, timeZone, children }: HistoryLineProps) {
  const { t } = useTranslation("common");
  const language = useLanguage();
  return (
    <li>
      <b>{what}</b>
      <span>
        {who || t("brand")}, <time dateTime={at}>{moment(at, language, timeZone)}</time>
      </span>
      {children}
    </li>
  );
}
