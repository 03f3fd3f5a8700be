import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { answer, api } from "../../api/client";
import { fileOf } from "../../api/file";
import type { Problem } from "../../api/problem";
import { useWrite } from "../../api/write";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { ExportMenu, type ExportFormat } from "../../components/export-menu";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { today, weekday } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Language } from "../../i18n/languages";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import { readTimes, readTrips, TIMES, TRIPS } from "../../tracking/calls";
import { addDays, hours, type Trip, type Work } from "../../tracking/entries";
import { EntryPhoto } from "./entry-photo";
import { RefuseEntry } from "./refuse-entry";
import styles from "./driver-tracking.module.css";

type Kind = "trip" | "time";
type Entry = ({ kind: "trip" } & Trip) | ({ kind: "time" } & Work);

const DAYS = 60;

const whenOf = (entry: Entry) => (entry.kind === "trip" ? `${entry.occurredOn}T${entry.startAt}` : entry.startedAt);

function useEntries(id: string) {
  const { timeZone } = useConfig();
  const from = addDays(today(timeZone), -DAYS);
  const trips = useQuery({ queryKey: [TRIPS, "of", id, from], queryFn: () => readTrips(from, "", id) });
  const times = useQuery({ queryKey: [TIMES, "of", id, from], queryFn: () => readTimes(from, "", id) });
  const entries: Entry[] = [
    ...(trips.data ?? []).map((trip) => ({ ...trip, kind: "trip" as const })),
    ...(times.data ?? []).map((work) => ({ ...work, kind: "time" as const })),
  ].sort((a, b) => whenOf(b).localeCompare(whenOf(a)));
  return {
    from,
    entries,
    loading: trips.isLoading || times.isLoading,
    problem: trips.error ?? times.error,
    retry: () => void Promise.all([trips.refetch(), times.refetch()]),
  };
}

const exportOf = (kind: Kind, id: string, from: string, format: ExportFormat, lang: Language) =>
  fileOf(
    api.GET("/api/tracking/export", {
      params: { query: { kind, format, lang, from, driverUUID: id } },
      parseAs: "blob",
    }),
    `${kind}.${format}`,
  );

/** What a driver wrote down of trips and working time, with what to look at; the partner refuses what does not count. */
export default function DriverTracking({ id }: { id: string }) {
  const { t } = useTranslation(["tracking", "common", "faults"]);
  const language = useLanguage();
  const { from, entries, loading, problem, retry } = useEntries(id);
  const [refused, setRefused] = useState<Problem>();
  if (!loading && !problem && entries.length === 0) return null;
  return (
    <Section title={t("partnerTitle")} lead={t("partnerLead")}>
      {problem && (
        <Notice tone="danger" action={<Button onClick={retry}>{t("common:retry")}</Button>}>
          {t("loadFailed")}
        </Notice>
      )}
      <Totals entries={entries} />
      <div className={styles.exports}>
        {(["trip", "time"] as const).map((kind) => (
          <ExportMenu
            key={kind}
            texts={{
              export: t(kind === "trip" ? "exportTrips" : "exportTimes"),
              exporting: t("exporting"),
              csv: t("exportCsv"),
              xlsx: t("exportXlsx"),
            }}
            triggerClass="button button-default button-middle"
            make={(format) => exportOf(kind, id, from, format, language)}
            onProblem={setRefused}
          />
        ))}
      </div>
      {refused && <Notice tone="danger">{t(`faults:${refused.code}`, { replace: refused.params })}</Notice>}
      <ul className={styles.list} aria-busy={loading}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <EntryRow entry={entry} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Totals({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation("tracking");
  const { full } = useAmounts();
  const counted = entries.filter(({ refuseReason }) => !refuseReason);
  const trips = counted.filter((entry) => entry.kind === "trip");
  const sum = (payment: Trip["payment"]) =>
    trips.reduce((n, trip) => (trip.payment === payment ? n + trip.amount : n), 0);
  const minutes = counted.reduce((n, entry) => (entry.kind === "time" ? n + entry.minutes : n), 0);
  return (
    <dl className={styles.totals}>
      <div>
        <dt>{t("cash")}</dt>
        <dd>{full(sum("cash"))}</dd>
      </div>
      <div>
        <dt>{t("card")}</dt>
        <dd>{full(sum("card"))}</dd>
      </div>
      <div>
        <dt>{t("timeEntry")}</dt>
        <dd>{t("hours", { time: hours(minutes) })}</dd>
      </div>
    </dl>
  );
}

/** A partner's word about an entry: it does not count, and why; or it counts again. */
function useRefusing({ kind, id, version }: Entry) {
  const { t } = useTranslation("tracking");
  const done = useDoneToast();
  return useWrite([TRIPS, TIMES], async (reason: string) => {
    const asked = { params: { path: { id } }, body: { version, reason } };
    await (kind === "trip"
      ? answer(api.POST("/api/trips/{id}/refuse", asked))
      : answer(api.POST("/api/time-entries/{id}/refuse", asked)));
    done(t(reason ? "refused" : "counted"));
  });
}

function EntryRow({ entry }: { entry: Entry }) {
  const { t } = useTranslation(["tracking", "faults"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const [asking, setAsking] = useState(false);
  const refusing = useRefusing(entry);
  const trip = entry.kind === "trip" ? entry : undefined;
  const work = entry.kind === "time" ? entry : undefined;
  const what = trip
    ? [
        [trip.startAt, trip.endAt].filter(Boolean).join("–"),
        [trip.startPlace, trip.endPlace].filter(Boolean).join(" → "),
      ]
    : [
        `${work?.startedAt.slice(11) ?? ""}–${work?.endedAt.slice(11) ?? ""}`,
        work?.plate,
        work && work.mileageEnd > work.mileageStart && work.mileageStart > 0
          ? t("kilometres", { number: work.mileageEnd - work.mileageStart })
          : "",
      ];
  const settled = Boolean(trip?.settlementId);
  return (
    <div className={styles.row} data-refused={entry.refuseReason ? true : undefined}>
      <span className={styles.what}>
        <b>{weekday(whenOf(entry).slice(0, 10), language)}</b>
        <span>{[t(trip ? "tripTitle" : "timeEntry"), ...what].filter(Boolean).join(" · ")}</span>
        {entry.refuseReason && <small>{t("notCountedBy", { reason: entry.refuseReason })}</small>}
        {entry.warnings.map((warning) => (
          <small key={warning} className={styles.warning}>
            {t(`warn_${warning}`)}
          </small>
        ))}
        {settled && <small>{t("toSettlement", { number: trip?.settlementNumber ?? 0 })}</small>}
      </span>
      <b className={styles.end}>
        {trip
          ? `${full(trip.amount)} · ${t(trip.payment)}`
          : work?.endedAt
            ? t("hours", { time: hours(work.minutes) })
            : t("stateRunning")}
      </b>
      <span className={styles.acts}>
        {trip?.photo && <EntryPhoto kind="trip" id={entry.id} side="payment" label={t("showPhoto")} />}
        {work?.photoStart && <EntryPhoto kind="time" id={entry.id} side="start" label={t("showStart")} />}
        {work?.photoEnd && <EntryPhoto kind="time" id={entry.id} side="end" label={t("showEnd")} />}
        {!settled && (
          <Button
            size="small"
            loading={refusing.isPending}
            onClick={() => (entry.refuseReason ? refusing.mutate("") : setAsking(true))}
          >
            {t(entry.refuseReason ? "countAgain" : "refuse")}
          </Button>
        )}
      </span>
      {refusing.error && (
        <Notice tone="danger">
          {t(`faults:${refusing.error.code}`, { replace: { ...refusing.error.params, current: "" } })}
        </Notice>
      )}
      {asking && (
        <RefuseEntry
          onClose={() => setAsking(false)}
          onRefuse={(reason) => {
            setAsking(false);
            refusing.mutate(reason);
          }}
        />
      )}
    </div>
  );
}
