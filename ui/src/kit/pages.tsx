import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import styles from "./pages.module.css";

interface PagesProps {
  page: number;
  /** Whether nothing comes after this page. */
  last: boolean;
  onPage: (page: number) => void;
}

/** The way to the page before and after; absent where there is one page. */
export function Pages({ page, last, onPage }: PagesProps) {
  const { t } = useTranslation();
  if (page === 1 && last) return null;
  return (
    <div className={styles.pages}>
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t("pagePrevious")}
      </Button>
      <Button disabled={last} onClick={() => onPage(page + 1)}>
        {t("pageNext")}
      </Button>
    </div>
  );
}
