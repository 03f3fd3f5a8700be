import { Clock, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { hours } from "../../tracking/entries";
import { type SeenWork, useTimes, WEEKS } from "./list";
import { Loading } from "./loading";
import { EntryState } from "./state";
import { inWeeks, newest, ROWS, type Shown } from "./weeks";
import { worked } from "./work";
import { WeekSection } from "./week-section";
import { WorkCard } from "./work-card";
import styles from "./tracking.module.css";

const when = ({ fields }: SeenWork) => fields.startedAt;

/** A driver's working time: the card of today, and what was by week. */
export default function TimesPage() {
  const { t } = useTranslation(["tracking", "accounts"]);
  const [weeks, setWeeks] = useState(WEEKS);
  const [most, setMost] = useState(ROWS);
  const times = useTimes(weeks);
  const session = useSession();
  return (
    <div className={styles.page}>
      <h1 className="sr-only">{t("accounts:timeTitle")}</h1>
      {session.may("account.write") && times.ready && !times.loading && <WorkCard entries={times.entries} />}
      <Loading of={times} />
      {times.entries.length === 0 && !times.loading && times.ready && (
        <FirstUse icon={Clock} title={t("noTimesTitle")} body={t("noTimesBody")} />
      )}
      {session.may("account.write") && (
        <Link className="button button-default button-large button-block" to="/time-tracker/add">
          <Plus aria-hidden size={20} strokeWidth={2} />
          <span>{t("addTime")}</span>
        </Link>
      )}
      {newest(inWeeks(times.entries, when), most).map((shown) => (
        <WorkWeek key={shown.week.from} shown={shown} />
      ))}
      {(times.entries.length > most || (!session.offline && times.entries.length > 0)) && (
        <Button
          kind="text"
          onClick={() => (times.entries.length > most ? setMost(most + ROWS) : setWeeks(weeks + WEEKS))}
        >
          {t("older")}
        </Button>
      )}
    </div>
  );
}

function WorkWeek({ shown }: { shown: Shown<SeenWork> }) {
  const { t } = useTranslation("tracking");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const all = shown.week.days
    .flatMap(({ entries }) => entries)
    .filter(({ fields, waiting, theirs }) => fields.endedAt && !waiting?.deleted && !theirs?.refuseReason);
  const minutes = all.reduce((sum, { fields }) => sum + worked(fields, timeZone), 0);
  const kilometres = all.reduce(
    (sum, { fields: { mileageStart, mileageEnd } }) =>
      mileageStart > 0 && mileageEnd > 0 ? sum + mileageEnd - mileageStart : sum,
    0,
  );
  const sums: [string, string][] = [[t("sumTime"), t("hours", { time: hours(minutes) })]];
  if (kilometres > 0) sums.push([t("sumKilometres"), t("kilometres", { number: count(kilometres, language) })]);
  return <WeekSection shown={shown} sums={sums} row={(work) => <WorkRow work={work} />} />;
}

function WorkRow({ work }: { work: SeenWork }) {
  const { t } = useTranslation("tracking");
  const { timeZone } = useConfig();
  const { fields, theirs, waiting } = work;
  const ended = fields.endedAt !== "";
  return (
    <Link className={styles.row} to={`/time-tracker/edit/${work.id}`} {...(waiting?.deleted && { "data-gone": true })}>
      <Clock aria-hidden size={22} strokeWidth={1.75} />
      <span className={styles.what}>
        <b>
          {fields.startedAt.slice(11)}–{ended ? fields.endedAt.slice(11) : ""}
        </b>
        {fields.plate && <small>{fields.plate}</small>}
        {fields.breakMinutes > 0 && <small>{t("breaksSoFar", { minutes: fields.breakMinutes })}</small>}
        <EntryState of={work} />
        {theirs?.warnings.includes("overlap") && (
          <span className={styles.state} data-tone="warning">
            {t("overlap")}
          </span>
        )}
      </span>
      <b className={styles.end}>{ended ? t("hours", { time: hours(worked(fields, timeZone)) }) : t("stateRunning")}</b>
    </Link>
  );
}
