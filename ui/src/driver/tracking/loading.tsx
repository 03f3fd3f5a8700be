import { useTranslation } from "../../i18n/translation";
import type { Problem } from "../../api/problem";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { weekdayMoment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import styles from "./tracking.module.css";

interface Found {
  loading: boolean;
  asOf: string | undefined;
  problem: Problem | null;
  retry: () => void;
}

/** How far a list is known: it comes, it is as old as the last time with a line, or it could not be read. */
export function Loading({ of }: { of: Found }) {
  const { t } = useTranslation(["tracking", "common"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  if (of.loading)
    return (
      <div className={styles.skeleton} aria-busy role="status" aria-label={t("common:loading")}>
        <span className="bar" />
        <span className="bar" />
      </div>
    );
  if (of.asOf) return <p className={styles.asOf}>{t("asOf", { at: weekdayMoment(of.asOf, language, timeZone) })}</p>;
  if (!of.problem) return null;
  if (of.problem.status === 0) return <Notice tone="info">{t("offlineSince")}</Notice>;
  return <ErrorState title={t("loadFailed")} undone={t("loadFailedBody")} problem={of.problem} onRetry={of.retry} />;
}
