import { lazy, Suspense } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { PageHeader } from "../../components/page-header";
import { Matrix } from "./matrix";
import styles from "./documents.module.css";

const Board = lazy(() => import("./board"));
const Types = lazy(() => import("./types"));

const VIEWS = ["drivers", "expiry", "types"] as const;

/** The documents of all drivers: who has what, what runs out, and what is asked for. */
export default function DocumentsPage() {
  const { t } = useTranslation(["driverDocuments", "accounts"]);
  const [params] = useSearchParams();
  const view = VIEWS.find((one) => one === params.get("view")) ?? "drivers";
  return (
    <>
      <PageHeader title={t("accounts:documentsTitle")} />
      <nav className={styles.tabs} aria-label={t("views")}>
        {VIEWS.map((one) => (
          <Link
            key={one}
            to={one === "drivers" ? "/driver-documents" : `/driver-documents?view=${one}`}
            aria-current={one === view ? "page" : undefined}
          >
            {t(`view_${one}`)}
          </Link>
        ))}
      </nav>
      <Suspense>{view === "drivers" ? <Matrix /> : view === "expiry" ? <Board /> : <Types />}</Suspense>
    </>
  );
}
