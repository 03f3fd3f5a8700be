import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { type Template, useTemplate } from "./calls";
import styles from "./contracts.module.css";

/** Somebody else saved first: theirs is looked at, and only then taken or saved over. Theirs stays in the history. */
export function TextConflict(props: {
  id: string;
  onTake: (theirs: Template) => void;
  onOver: (revision: number) => void;
}) {
  const { t } = useTranslation("contractTexts");
  const [looking, setLooking] = useState(false);
  const found = useTemplate(props.id, { version: 0 }, looking);
  const theirs = found.data;
  return (
    <Notice tone="danger" action={!looking && <Button onClick={() => setLooking(true)}>{t("showTheirs")}</Button>}>
      {t("changedMeanwhile")}
      {theirs && (
        <>
          {theirs.fileId ? (
            <p>{t("theirFields", { count: theirs.placements?.length ?? 0 })}</p>
          ) : (
            <pre className={styles.theirs}>{theirs.body}</pre>
          )}
          <div className={styles.acts}>
            <Button onClick={() => props.onTake(theirs)}>{t("takeTheirs")}</Button>
            <Button onClick={() => props.onOver(theirs.revision ?? 0)}>{t("saveMine")}</Button>
          </div>
        </>
      )}
    </Notice>
  );
}
