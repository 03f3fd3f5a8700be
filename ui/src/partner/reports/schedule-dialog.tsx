import { useState } from "react";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import type { Report } from "../../reports/calls";
import { Fields } from "../../reports/fields";
import { isDated } from "../../reports/parameters";
import { picker } from "./picker";
import { type Schedule, useRecipients, useSaveSchedule } from "./queries";
import { weekdayName } from "./schedules-page";
import styles from "./reports.module.css";

interface ScheduleDialogProps {
  /** Undefined: a new one. */
  schedule: Schedule | undefined;
  reports: readonly Report[];
  onClose: () => void;
}

const FORMATS = ["xlsx", "csv", "pdf"] as const;

/** A Monday morning, which is when people look at the week before. */
const NEW: Schedule = {
  reportId: "",
  parameters: { days: "last_week" },
  every: "week",
  weekday: 1,
  day: 1,
  hour: 7,
  format: "xlsx",
  recipients: [],
  paused: false,
  version: 0,
};

const clock = (hour: number) => `${hour}:00`;

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

/** Which report is mailed when, about which days, and to whom. */
export function ScheduleDialog({ schedule, reports, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation(["reports", "faults", "fields", "common"]);
  const language = useLanguage();
  const people = useRecipients();
  const save = useSaveSchedule();
  const done = useDoneToast();
  const [entry, setEntry] = useState<Schedule>(schedule ?? { ...NEW, reportId: reports[0]?.id ?? "" });
  const [problem, setProblem] = useState<Problem>();
  const set = (part: Partial<Schedule>) => setEntry((before) => ({ ...before, ...part }));
  const report = reports.find(({ id }) => id === entry.reportId);
  const refused = (name: string) => {
    const found = problem?.fields.find((one) => one.name === name);
    return found && t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const send = async () => {
    setProblem(undefined);
    const { values } = entry.parameters;
    // A report that is about no days is asked for none.
    const parameters = report && !isDated(report.ask) ? { ...(values && { values }) } : entry.parameters;
    try {
      await save.mutateAsync({ id: schedule?.id, entry: { ...entry, parameters } });
      done(t("scheduleSaved", { title: report?.title ?? "" }));
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return (
    <Dialog title={t(schedule ? "scheduleEdit" : "scheduleAdd")} onClose={onClose}>
      <form
        className={styles.dialog}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
        <Field label={t("report")} error={refused("reportId")} required>
          {(control) => (
            <select
              {...control}
              value={entry.reportId}
              onChange={({ target }) => set({ reportId: target.value, parameters: NEW.parameters })}
            >
              {!report && <option value={entry.reportId}>{t("gone")}</option>}
              {reports.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {report && (
          <Fields
            ask={report.ask}
            value={entry.parameters}
            onChange={(parameters) => set({ parameters })}
            problem={problem}
            picker={picker}
            relative
          />
        )}
        <div className={styles.when}>
          <Field label={t("every")}>
            {(control) => (
              <select
                {...control}
                value={entry.every}
                onChange={({ target }) => set({ every: target.value === "month" ? "month" : "week" })}
              >
                <option value="week">{t("week")}</option>
                <option value="month">{t("month")}</option>
              </select>
            )}
          </Field>
          {entry.every === "week" ? (
            <Field label={t("weekday")}>
              {(control) => (
                <select
                  {...control}
                  value={entry.weekday ?? 1}
                  onChange={({ target }) => set({ weekday: Number(target.value) })}
                >
                  {range(1, 7).map((day) => (
                    <option key={day} value={day}>
                      {weekdayName(day, language)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ) : (
            <Field label={t("dayOfMonth")}>
              {(control) => (
                <select
                  {...control}
                  value={entry.day ?? 1}
                  onChange={({ target }) => set({ day: Number(target.value) })}
                >
                  {range(1, 31).map((day) => (
                    <option key={day} value={day}>
                      {day === 31 ? t("lastDay") : day}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          <Field label={t("hour")}>
            {(control) => (
              <select {...control} value={entry.hour} onChange={({ target }) => set({ hour: Number(target.value) })}>
                {range(0, 23).map((hour) => (
                  <option key={hour} value={hour}>
                    {clock(hour)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t("format")}>
            {(control) => (
              <select
                {...control}
                value={entry.format}
                onChange={({ target }) => set({ format: FORMATS.find((one) => one === target.value) ?? "xlsx" })}
              >
                {FORMATS.map((format) => (
                  <option key={format} value={format}>
                    {t(`format_${format}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <fieldset className={styles.people}>
          <legend>{t("recipients")}</legend>
          <p>{t("recipientsHint")}</p>
          {people.data?.map(({ id, name, email }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={entry.recipients.includes(id)}
                onChange={({ target }) =>
                  set({
                    recipients: target.checked
                      ? [...entry.recipients, id]
                      : entry.recipients.filter((one) => one !== id),
                  })
                }
              />
              <span>
                {name} <small>{email}</small>
              </span>
            </label>
          ))}
          {refused("recipients") && <p className="field-error">{refused("recipients")}</p>}
        </fieldset>
        <div className={styles.foot}>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" loading={save.isPending}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
