import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { type FaultCode, Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { Refusal } from "../../components/refusal";
import { Section } from "../../components/section";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { mergeNames } from "./merge-names";
import { type Merge, useMerges, useUndoMerge } from "./merge-queries";
import "./merge.css";

/** Who was merged into a driver, and how to undo it while that is possible. */
export function DriverMerges({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const { t } = useTranslation(["merge", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const merges = useMerges(id).data;
  const [asking, setAsking] = useState<Merge>();
  if (!merges || merges.length === 0) return null;
  const nameOf = (merge: Merge) => `${merge.firstName} ${merge.lastName}`;
  return (
    <Section title={t("merges")} lead={t("mergesLead")}>
      <ul className="merge-list">
        {merges.map((merge) => (
          <li key={merge.id}>
            <span>
              {t("mergedLine", { name: nameOf(merge), day: day(merge.at, language, timeZone) })}
              <small>
                {[merge.by, t("transactions", { count: merge.transactions }), merge.reason].filter(Boolean).join(" · ")}
              </small>
              {merge.refusal && (
                <small>
                  {t("cannotUndo")} {t(`faults:${merge.refusal as FaultCode}`)}
                </small>
              )}
            </span>
            {mayWrite && !merge.refusal && (
              <Button
                icon={<Undo2 aria-hidden size={16} strokeWidth={1.75} />}
                aria-label={t("undo", { name: nameOf(merge) })}
                onClick={() => setAsking(merge)}
              >
                {t("undoIt")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asking && <Question merge={asking} name={nameOf(asking)} onClose={() => setAsking(undefined)} />}
    </Section>
  );
}

function Question({ merge, name, onClose }: { merge: Merge; name: string; onClose: () => void }) {
  const { t } = useTranslation(["merge", "common", "drivers", "faults"]);
  const undo = useUndoMerge();
  const done = useDoneToast();
  const [problem, setProblem] = useState<Problem>();
  const press = async () => {
    setProblem(undefined);
    try {
      await undo.mutateAsync(merge.id);
      done(t("undone"));
      onClose();
    } catch (refused) {
      if (!(refused instanceof Problem)) throw refused;
      setProblem(refused);
    }
  };
  const stays = merge.stays.flatMap((field) => {
    const name = mergeNames[field];
    return name ? [t(name)] : [];
  });
  return (
    <Dialog title={t("undoTitle", { name })} onClose={onClose}>
      <div className="driver-question">
        <p>{t("undoBody")}</p>
        {stays.length > 0 && <Notice tone="info">{t("undoStays", { list: stays.join(", ") })}</Notice>}
        {merge.freshLogin && <p>{t("freshNote")}</p>}
        {problem && <Refusal problem={problem} undone={t("notUndone")} />}
        <div>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" loading={undo.isPending} onClick={() => void press()}>
            {t("undoIt")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
