import { ChevronRight, FileChartColumn } from "lucide-react";
import { Link, useParams } from "react-router";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useReports } from "../../reports/calls";
import { ReportScreen } from "../../reports/report-screen";
import styles from "./list.module.css";

/** One report of the driver; without a code, the list of them. */
export default function ReportPage() {
  const { code } = useParams();
  return code ? <ReportScreen key={code} side="driver" code={code} /> : <List />;
}

function List() {
  const { t } = useTranslation("reports");
  const found = useReports("driver", useLanguage());
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("unchanged")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <div className={styles.page} aria-busy="true" />;
  return (
    <div className={styles.page}>
      <h1>{t("title")}</h1>
      {found.data.length === 0 ? (
        <FirstUse icon={FileChartColumn} title={t("noneTitle")} body={t("noneDriver")} />
      ) : (
        <ul>
          {found.data.map(({ id, code, title }) => (
            <li key={id}>
              <Link to={`/driver/report/${code}`}>
                {title}
                <ChevronRight aria-hidden size={20} strokeWidth={1.75} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
