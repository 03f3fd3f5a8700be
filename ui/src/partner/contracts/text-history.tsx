import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { useConfig } from "../../session/config";
import { type Template, useRemoveTemplate, useTemplate } from "./calls";
import styles from "./contracts.module.css";

/** What makes the pages of a version. */
const partOf = ({ body = "", fileId = "", placements = [], file }: Template): Partial<Template> => ({
  body,
  fileId,
  placements,
  ...(file && { file }),
});

/** The texts that it had before. Each is put back into the field and saved as a newer one: no old one ever changes. */
export function TextHistory({ of, onTake }: { of: Template; onTake: (part: Partial<Template>) => void }) {
  const { t } = useTranslation(["contractTexts", "faults"]);
  const { timeZone } = useConfig();
  const navigate = useNavigate();
  const done = useDoneToast();
  const [looking, setLooking] = useState<{ version?: number; ready?: boolean }>();
  const old = useTemplate(of.id ?? "", looking, looking !== undefined);
  const remove = useRemoveTemplate();
  const history = of.history ?? [];
  const shown = looking && old.data;
  return (
    <details className={styles.evidence}>
      <summary>{t("history")}</summary>
      <div className={styles.dialog}>
        <p className={styles.quiet}>{t("historyLead")}</p>
        <History>
          {history.map(({ version, at, by }) => (
            <HistoryLine
              key={version}
              what={t("versionNumber", { number: version })}
              who={by}
              at={at}
              timeZone={timeZone}
            >
              <span>
                <Button
                  size="small"
                  aria-label={t("showVersion", { number: version })}
                  onClick={() => setLooking({ version })}
                >
                  {t("show")}
                </Button>
              </span>
            </HistoryLine>
          ))}
        </History>
        {shown && (
          <section aria-label={t("oldText")}>
            {shown.fileId ? (
              <p>{t("theirFields", { count: shown.placements?.length ?? 0 })}</p>
            ) : (
              <pre className={styles.theirs}>{shown.body}</pre>
            )}
            <div className={styles.acts}>
              <Button onClick={() => onTake(partOf(shown))}>{t("takeOld")}</Button>
              <Button onClick={() => setLooking(undefined)}>{t("hide")}</Button>
            </div>
          </section>
        )}
        {remove.error && <Notice tone="danger">{t(`faults:${remove.error.code}`)}</Notice>}
        <div className={styles.acts}>
          {of.ready && (of.revision ?? 0) > 0 && (
            <Button onClick={() => setLooking({ ready: true })}>{t("showReady")}</Button>
          )}
          {!of.ready && (
            <Button
              danger
              loading={remove.isPending}
              onClick={() =>
                remove.mutate(of.id ?? "", {
                  onSuccess: () => {
                    done(t("removed"));
                    void navigate("/contracts/texts");
                  },
                })
              }
            >
              {t("remove")}
            </Button>
          )}
        </div>
      </div>
    </details>
  );
}
