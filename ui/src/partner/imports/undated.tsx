import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Import, orderOf, type Preview, useReadWith } from "./queries";
import { keep } from "./uploads";
import type { Week } from "./week";

/** Whether rows of a file say no date, and neither the file nor a person has said one for them. */
export const isUndated = (preview: Preview) => preview.rowErrors.some(({ code }) => code === "no_date");

/** Reads files again by the days of a week, one after the other, and says which of them could not be read. */
export function useReadForWeek() {
  const again = useReadWith();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const read = async (files: readonly Import[], { firstOn, lastOn }: Week) => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const of of files) {
        keep(of.id);
        await again.mutateAsync({ id: of.id, order: { ...orderOf(of), datesFrom: firstOn, datesTo: lastOn } });
      }
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
    setBusy(false);
  };
  return { read, busy, problem };
}

interface UndatedProps {
  files: readonly Import[];
  week: Week;
  busy: boolean;
  onRead: () => void;
}

/** Files whose rows say no date: one press takes the chosen week for all of them. */
export function Undated({ files, week, busy, onRead }: UndatedProps) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  return (
    <section className="imports-ask" aria-label={t("whichWeek", { count: files.length })}>
      <Notice tone="warning">
        <p>
          <b>{t("whichWeek", { count: files.length })}</b>
        </p>
        <p>{t("whichWeekNote")}</p>
        <ul className="imports-undated">
          {files.map((of) => (
            <li key={of.id}>{of.fileName}</li>
          ))}
        </ul>
        <Button loading={busy} onClick={onRead}>
          {t("useWeek", { days: daySpan(week.firstOn, week.lastOn, language) })}
        </Button>
      </Notice>
    </section>
  );
}
