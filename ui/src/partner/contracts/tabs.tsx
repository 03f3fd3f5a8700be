import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import styles from "./contracts.module.css";

const VIEWS = ["list", "texts", "settings"] as const;

/** The parts of what there is about contracts. */
export function Tabs({ at }: { at: (typeof VIEWS)[number] }) {
  const { t } = useTranslation("contractList");
  return (
    <nav className={styles.tabs} aria-label={t("views")}>
      {VIEWS.map((one) => (
        <Link
          key={one}
          to={one === "list" ? "/contracts" : `/contracts/${one}`}
          aria-current={one === at ? "page" : undefined}
        >
          {t(`view_${one}`)}
        </Link>
      ))}
    </nav>
  );
}
