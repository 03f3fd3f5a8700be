import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Navigate, useParams, useSearchParams } from "react-router";
import { useConfig } from "../../session/config";
import { localMinute, minutesBetween, type WorkFields, workFieldsOf } from "../../tracking/entries";
import { Conflict } from "./conflict";
import { EntryHead } from "./entry-head";
import { type SeenWork, useTimes } from "./list";
import { Loading } from "./loading";
import { TimeForm } from "./time-form";
import { breakOf, lastPlate } from "./work";
import styles from "./tracking.module.css";

const LIST = "/time-tracker";

/** Working time that is added later, or one to look at, change or end. */
export default function TimePage() {
  const { t } = useTranslation("tracking");
  const { id } = useParams();
  const times = useTimes(id ? 60 : undefined);
  const work = times.entries.find((one) => one.id === id);
  if (id && !work && !times.loading && times.ready && !times.problem) return <Navigate to={LIST} replace />;
  return (
    <div className={styles.page}>
      <EntryHead to={LIST} title={t(id ? "timeEntry" : "addTime")} />
      {id ? (
        work ? (
          <Opened key={work.id} work={work} all={times.entries} />
        ) : (
          <Loading of={times} />
        )
      ) : (
        times.ready && <New all={times.entries} />
      )}
    </div>
  );
}

function New({ all }: { all: readonly SeenWork[] }) {
  const { timeZone } = useConfig();
  const [id] = useState(() => crypto.randomUUID());
  const [fields] = useState<WorkFields>(() => ({
    startedAt: `${localMinute(timeZone).slice(0, 10)}T08:00`,
    endedAt: localMinute(timeZone),
    breakMinutes: 0,
    mileageStart: 0,
    mileageEnd: 0,
    plate: lastPlate(all),
    note: "",
  }));
  return <TimeForm work={{ id, fields, theirs: undefined, waiting: undefined }} begin={fields} all={all} />;
}

/** After this long nobody can say that work ended just now. */
const LONG = 14 * 60;

function Opened({ work, all }: { work: SeenWork; all: readonly SeenWork[] }) {
  const { timeZone } = useConfig();
  const [params] = useSearchParams();
  const ends = params.has("end");
  // Somebody who ends their work ends their break with it; whoever forgot to is asked when it was.
  const [begin] = useState(() => {
    const fields = workFieldsOf(work.fields);
    if (!ends || fields.endedAt) return fields;
    const now = localMinute(timeZone);
    const pause = breakOf(work.id);
    const lasted = pause ? Math.max(0, minutesBetween(pause, now, timeZone)) : 0;
    const forgotten = minutesBetween(fields.startedAt, now, timeZone) > LONG;
    return { ...fields, breakMinutes: fields.breakMinutes + lasted, endedAt: forgotten ? "" : now };
  });
  if (work.waiting?.state === "conflict") return <Conflict of={work} back={LIST} />;
  return <TimeForm work={work} begin={begin} all={all} ends={ends} />;
}
