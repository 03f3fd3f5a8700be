import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { usePossibleDuplicates } from "./merge-queries";
import "./merge.css";

/** The way to pairs who may be one person, with how many there are; not there while there are none. */
export function DuplicatesLink() {
  const { t } = useTranslation("merge");
  const language = useLanguage();
  const total = usePossibleDuplicates(false, 1).data?.total ?? 0;
  if (total === 0) return null;
  return (
    <Link className="duplicates-link" to="/drivers/possible-duplicates">
      {t("duplicates")} <span>{count(total, language)}</span>
    </Link>
  );
}
