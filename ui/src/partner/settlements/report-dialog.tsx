import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { save } from "../../browser/save";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { today } from "../../format/date";
import { useLanguage } from "../../i18n";
import { payoutReport } from "./files";

/** As many days as a report may be about. */
const DAYS_MOST = 400;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The calendar day where the business is. */

const daysFrom = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

/** Which days a payout report is about; at first those of this month up to today. */
export function ReportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["settlements", "common", "faults"]);
  const language = useLanguage();
  const last = today(useConfig().timeZone);
  const [from, setFrom] = useState(`${last.slice(0, 8)}01`);
  const [to, setTo] = useState(last);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const given = DAY.test(from) && DAY.test(to);
  const wrong = !given
    ? undefined
    : to < from
      ? t("reportReversed")
      : daysFrom(from, to) > DAYS_MOST
        ? t("reportTooLong", { days: DAYS_MOST })
        : undefined;
  const fine = given && !wrong;
  const hand = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { content, name } = await payoutReport(from, to, language);
      save(content, name);
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("report")} onClose={onClose}>
      <form
        className="settlements-question"
        onSubmit={(event) => {
          event.preventDefault();
          if (fine && !busy) void hand();
        }}
      >
        <p>{t("reportBody")}</p>
        <div className="settlements-days">
          <label>
            {t("reportFrom")}
            <input type="date" required value={from} onChange={({ target }) => setFrom(target.value)} />
          </label>
          <label>
            {t("reportTo")}
            <input
              type="date"
              required
              value={to}
              aria-invalid={wrong !== undefined}
              aria-describedby={wrong && "report-wrong"}
              onChange={({ target }) => setTo(target.value)}
            />
          </label>
        </div>
        {wrong && (
          <p id="report-wrong" role="alert" className="settlements-wrong">
            {wrong}
          </p>
        )}
        {problem && (
          <Notice tone="danger">
            {t("exportFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        )}
        <div>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" disabled={!fine} loading={busy}>
            {t("reportMake")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
