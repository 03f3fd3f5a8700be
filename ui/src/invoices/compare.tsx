import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { Notice } from "../components/notice";
import { FIELDS } from "./fields";
import type { Values } from "./form";
import styles from "./compare.module.css";

interface CompareProps {
  mine: Values;
  theirs: Values;
  onMine: () => void;
  onTheirs: () => void;
}

/** Somebody else saved first: what they have and what one has typed, side by side. */
export function Compare({ mine, theirs, onMine, onTheirs }: CompareProps) {
  const { t } = useTranslation("invoices");
  const differing = FIELDS.filter((name) => mine[name] !== theirs[name]);
  return (
    <>
      <Notice tone="warning">{t("changedElsewhere")}</Notice>
      <table className={styles.compare}>
        <thead>
          <tr>
            <th scope="col">{t("fieldHead")}</th>
            <th scope="col">{t("theirs")}</th>
            <th scope="col">{t("mine")}</th>
          </tr>
        </thead>
        <tbody>
          {differing.map((name) => (
            <tr key={name}>
              <th scope="row">{t(`field_${name}`)}</th>
              <td>{theirs[name] || "–"}</td>
              <td>{mine[name] || "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.acts}>
        <Button kind="primary" onClick={onTheirs}>
          {t("takeTheirs")}
        </Button>
        <Button onClick={onMine}>{t("keepMine")}</Button>
      </div>
    </>
  );
}
