import { ChevronLeft } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import styles from "./tracking.module.css";

/** The way back to the list, and what is open. */
export function EntryHead({ to, title }: { to: string; title: string }) {
  const { t } = useTranslation("tracking");
  return (
    <header className={styles.head}>
      <Link className={styles.back} aria-label={t("back")} to={to}>
        <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
      </Link>
      <h1>{title}</h1>
    </header>
  );
}
