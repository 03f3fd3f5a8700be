import { useTranslation } from "../../i18n/translation";

/** The place of a form or a list that is not here yet. */
export function Waiting() {
  const { t } = useTranslation();
  return (
    <div className="account-waiting" aria-busy role="status" aria-label={t("loading")}>
      <span className="bar" />
      <span className="bar" />
      <span className="bar" />
    </div>
  );
}
