import { useTranslation } from "../../i18n/translation";
import { useLicence } from "./queries";
import styles from "./licences.module.css";

/** How many settlements are left, and how long they last at the pace of the last weeks. */
export function Left() {
  const { t } = useTranslation("licences");
  const { data } = useLicence();
  if (!data)
    return (
      <p className={styles.left} aria-hidden>
        <span className="bar" />
      </p>
    );
  if (data.remaining <= 0) return <p className={styles.left}>{t("leftNone")}</p>;
  return (
    <p className={styles.left}>
      <b>{t("left", { count: data.remaining })}</b>{" "}
      {data.weeksLeft !== null && (data.weeksLeft > 0 ? t("leftWeeks", { count: data.weeksLeft }) : t("leftShort"))}
    </p>
  );
}
