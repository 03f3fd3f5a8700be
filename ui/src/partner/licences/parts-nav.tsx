import { useTranslation } from "../../i18n/translation";
import { NavLink } from "react-router";
import styles from "./licences.module.css";

/** The two sides of a licence: buying and what was bought. */
export function PartsNav() {
  const { t } = useTranslation("licences");
  return (
    <nav className={styles.parts} aria-label={t("parts")}>
      <NavLink to="/licenses/purchase">{t("buy")}</NavLink>
      <NavLink to="/licenses/history">{t("history")}</NavLink>
    </nav>
  );
}
