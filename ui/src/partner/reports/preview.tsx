import { useId } from "react";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { ResultTable } from "../../reports/result";
import { partOf } from "./draft";
import { type Audience, type Entry, usePreview } from "./queries";
import styles from "./editor.module.css";

/** The first rows of what is being written, of the last four weeks; where it is wrong, the place in words. */
export function Preview({ audience, definition }: { audience: Audience; definition: string }) {
  const { t } = useTranslation(["reports", "faults"]);
  const language = useLanguage();
  const id = useId();
  const parsed = JSON.parse(definition) as Entry["definition"];
  // Without a name it can be shown, but not saved.
  const named = Object.keys(parsed.title as object).length > 0 ? parsed : { ...parsed, title: { [language]: "–" } };
  const found = usePreview({ audience, definition: named, lang: language });
  const problem = found.error;
  const part = problem && partOf(problem.params.place ?? "");
  return (
    <section className={styles.preview} aria-labelledby={id} aria-busy={found.isFetching}>
      <h2 id={id}>{t("previewTitle")}</h2>
      <p>{t(audience === "driver" ? "previewDriver" : "previewBody")}</p>
      {problem ? (
        <Notice tone="warning">
          {part ? t("wrongPart", { part: t(`part_${part}`) }) : t("wrongSomewhere")}{" "}
          {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      ) : !found.data ? (
        <div className={styles.wait} role="status" aria-label={t("loading")} />
      ) : found.data.rows.length === 0 ? (
        <p className={styles.none}>{t("previewNone")}</p>
      ) : (
        <ResultTable of={found.data} stale={found.isPlaceholderData} />
      )}
    </section>
  );
}
