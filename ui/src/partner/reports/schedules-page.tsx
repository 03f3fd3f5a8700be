import { CalendarClock, CirclePause, CirclePlay, Plus, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Menu, MenuItem } from "../../components/menu";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { StatusTag } from "../../components/status-tag";
import { weekdayMoment } from "../../format/date";
import { dates } from "../../format/formatters";
import { useLanguage } from "../../i18n";
import type { Language } from "../../i18n/languages";
import { useTranslation } from "../../i18n/translation";
import { useReports } from "../../reports/calls";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { PartsNav } from "./parts-nav";
import { type Schedule, useRecipients, useRemoveSchedule, useSaveSchedule, useSchedules } from "./queries";
import { ScheduleDialog } from "./schedule-dialog";
import styles from "./reports.module.css";

/** A day of the week by its number, Monday first. */
export const weekdayName = (number: number, language: Language) =>
  // The fourth of January 2027 is a Monday.
  dates(language, { weekday: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2027, 0, 3 + number, 12)));

/** Reports that are mailed by themselves: which, when, to whom, and what became of the last time. */
export default function SchedulesPage() {
  const { t } = useTranslation(["reports", "faults"]);
  const language = useLanguage();
  const mayWrite = useSession().may("settlements.write");
  const found = useSchedules();
  const reports = useReports("partner", language);
  const [open, setOpen] = useState<Schedule | "new">();
  const save = useSaveSchedule();
  const remove = useRemoveSchedule();
  const done = useDoneToast();
  const problem = save.error ?? remove.error;
  const titleOf = (id: string) => reports.data?.find((one) => one.id === id)?.title ?? t("gone");
  const none = reports.data?.length === 0;
  return (
    <>
      <PageHeader
        title={t("title")}
        meta={<PartsNav />}
        actions={
          mayWrite &&
          !none && (
            <Button icon={<Plus aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setOpen("new")}>
              {t("scheduleAdd")}
            </Button>
          )
        }
      />
      {problem && (
        <div className={styles.inset}>
          <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>
        </div>
      )}
      {found.isError && !found.data ? (
        <ErrorState
          title={t("schedulesFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : !found.data ? (
        <div className={styles.wait} role="status" aria-label={t("loading")} />
      ) : found.data.length === 0 ? (
        <FirstUse
          icon={CalendarClock}
          title={t("schedulesNone")}
          body={t(none ? "schedulesNoReport" : "schedulesBody")}
        />
      ) : (
        <div className={styles.page}>
          <ul className={styles.list} aria-label={t("partSchedules")}>
            {found.data.map((one) => (
              <Row
                key={one.id}
                of={one}
                title={titleOf(one.reportId)}
                mayWrite={mayWrite}
                onEdit={() => setOpen(one)}
                onPause={() => save.mutate({ id: one.id, entry: { ...one, paused: !one.paused } })}
                onRemove={() =>
                  remove.mutate(
                    { id: one.id ?? "", version: one.version },
                    { onSuccess: () => done(t("scheduleRemoved", { title: titleOf(one.reportId) })) },
                  )
                }
              />
            ))}
          </ul>
        </div>
      )}
      {open && (
        <ScheduleDialog
          schedule={open === "new" ? undefined : open}
          reports={reports.data ?? []}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface RowProps {
  of: Schedule;
  title: string;
  mayWrite: boolean;
  onEdit: () => void;
  onPause: () => void;
  onRemove: () => void;
}

function Row({ of, title, mayWrite, onEdit, onPause, onRemove }: RowProps) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const people = useRecipients().data ?? [];
  const names = of.recipients.map((id) => people.find((one) => one.id === id)?.name ?? t("formerPerson"));
  const hour = `${of.hour}:00`;
  const when =
    of.every === "week"
      ? t("everyWeek", { day: weekdayName(of.weekday ?? 1, language), hour })
      : t("everyMonth", { day: of.day ?? 1, hour });
  const at = (instant: string) => weekdayMoment(instant, language, timeZone);
  return (
    <li>
      <div className={styles.what}>
        <b>{title}</b>
        <small>{[when, t(`format_${of.format}`), names.join(", ")].join(" · ")}</small>
        <small>
          {[
            ...(of.next && !of.paused ? [t("next", { at: at(of.next) })] : []),
            ...(of.last ? [t("last", { at: at(of.last), count: of.sent ?? 0 })] : []),
          ].join(" · ")}
        </small>
      </div>
      {of.reason ? (
        <StatusTag tone="danger" icon={TriangleAlert} word={t(`reason_${of.reason}`)} />
      ) : of.paused ? (
        <StatusTag tone="outline" icon={CirclePause} word={t("isPaused")} />
      ) : (
        <StatusTag tone="success" icon={CirclePlay} word={t("isOn")} />
      )}
      {mayWrite && (
        <Menu
          label={t("acts", { title })}
          placement="below"
          align="end"
          triggerClass="button button-default button-middle"
          trigger={t("change")}
        >
          <MenuItem onSelect={onEdit}>{t("edit")}</MenuItem>
          <MenuItem onSelect={onPause}>{t(of.paused ? "resume" : "pause")}</MenuItem>
          <MenuItem onSelect={onRemove}>{t("remove")}</MenuItem>
        </Menu>
      )}
    </li>
  );
}
