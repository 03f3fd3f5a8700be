import { NavLink } from "react-router";
import { useTranslation } from "../../i18n/translation";
import styles from "./reports.module.css";

/** The two sides of reports: what there is, and what is mailed by itself. */
export function PartsNav() {
  const { t } = useTranslation("reports");
  return (
    <nav className={styles.parts} aria-label={t("parts")}>
      <NavLink to="/reports" end>
        {t("partReports")}
      </NavLink>
      <NavLink to="/reports/schedules">{t("partSchedules")}</NavLink>
    </nav>
  );
}
