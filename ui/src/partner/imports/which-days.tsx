import { type SyntheticEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { Notice } from "../../components/notice";
import { daySpan, today } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Import, orderOf, type Preview } from "./queries";
import { useUpload } from "./uploads";
import { weeksBefore } from "./weeks";

const WEEKS = 6;
const OTHER = "other";

/** Whether rows of a file say no date, and neither the file nor a person has said one for them. */
export const isUndated = (preview: Preview) => preview.rowErrors.some(({ code }) => code === "no_date");

/** Files whose rows say no date: one week and one press for all of them, and they are read again. */
export function WhichDays({ files }: { files: readonly Import[] }) {
  const { t } = useTranslation(["imports", "faults"]);
  const language = useLanguage();
  const id = useId();
  const upload = useUpload();
  const weeks = weeksBefore(today(useConfig().timeZone), WEEKS);
  const [chosen, setChosen] = useState(weeks[0]?.[0] ?? OTHER);
  const [own, setOwn] = useState({ datesFrom: "", datesTo: "" });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const week = weeks.find(([from]) => from === chosen);
  const days = week ? { datesFrom: week[0], datesTo: week[1] } : own;
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await upload.rereadAll(files.map((of) => ({ of, order: { ...orderOf(of), ...days } })));
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
    setBusy(false);
  };
  const day = (name: "datesFrom" | "datesTo") => (
    <label>
      {t(name)}
      <input
        type="date"
        value={own[name]}
        onChange={({ target }) => setOwn((before) => ({ ...before, [name]: target.value }))}
      />
    </label>
  );
  return (
    <form className="imports-card imports-ask" onSubmit={(event) => void submit(event)}>
      <fieldset className="imports-question">
        <legend>{t("whichWeek", { count: files.length })}</legend>
        <p className="imports-quiet">{t("whichWeekNote")}</p>
        <ul className="imports-undated">
          {files.map((of) => (
            <li key={of.id}>{of.fileName}</li>
          ))}
        </ul>
        <div className="imports-field imports-which">
          <label htmlFor={id}>
            {t("week")}
            <select id={id} value={chosen} onChange={({ target }) => setChosen(target.value)}>
              {weeks.map(([from, to]) => (
                <option key={from} value={from}>
                  {daySpan(from, to, language)}
                </option>
              ))}
              <option value={OTHER}>{t("otherDays")}</option>
            </select>
          </label>
          {!week && day("datesFrom")}
          {!week && day("datesTo")}
          <Button
            type="submit"
            loading={busy}
            disabled={!days.datesFrom || !days.datesTo || days.datesTo < days.datesFrom}
          >
            {t("readAgainMany", { count: files.length })}
          </Button>
        </div>
      </fieldset>
      {problem && (
        <Notice tone="danger">
          {t("readAgainManyFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
    </form>
  );
}
