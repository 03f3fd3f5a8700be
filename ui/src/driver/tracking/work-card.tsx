import { Coffee, Play, Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useConfig } from "../../session/config";
import { hours, localMinute, minutesBetween, type WorkFields, workFieldsOf } from "../../tracking/entries";
import type { SeenWork } from "./list";
import { useKeep } from "../../waiting/outbox";
import { type Photo, PhotoField } from "./photo-field";
import { breakOf, lastPlate, noteBreak, useNow } from "./work";
import { wholeOf } from "./whole";
import styles from "./tracking.module.css";

/** After this long, somebody may have forgotten to end their work. */
const LONG = 14 * 60;

/** The working time of now: begun with one tap, with its breaks, ended with another. */
export function WorkCard({ entries }: { entries: readonly SeenWork[] }) {
  const running = entries.find(({ fields, waiting }) => !fields.endedAt && !waiting?.deleted);
  return running ? <Running work={running} /> : <Start plate={lastPlate(entries)} />;
}

function Start({ plate }: { plate: string }) {
  const { t } = useTranslation("tracking");
  const { timeZone } = useConfig();
  const keep = useKeep();
  const [id] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState<{ plate?: string; mileage: string }>({ mileage: "" });
  const [photo, setPhoto] = useState<Photo>();
  const [wrong, setWrong] = useState(false);
  const [failed, setFailed] = useState(false);
  const start = async () => {
    const mileage = wholeOf(typed.mileage);
    setWrong(mileage === undefined);
    if (mileage === undefined) return;
    const entry: WorkFields = {
      startedAt: localMinute(timeZone),
      endedAt: "",
      breakMinutes: 0,
      mileageStart: mileage,
      mileageEnd: 0,
      plate: (typed.plate ?? plate).trim(),
      note: "",
    };
    setFailed(false);
    await keep({ id, kind: "time", version: 0, entry, photos: photo ? { start: photo } : {} }).catch(() =>
      setFailed(true),
    );
  };
  return (
    <section className={styles.card} aria-label={t("startWork")}>
      <Button
        kind="primary"
        size="large"
        block
        icon={<Play aria-hidden size={20} strokeWidth={2} />}
        onClick={() => void start()}
      >
        {t("startWork")}
      </Button>
      <details className={styles.more} open={wrong || undefined}>
        <summary>{t("details")}</summary>
        <div className={styles.form}>
          <Field label={t("plate")}>
            {(control) => (
              <input
                {...control}
                maxLength={15}
                autoComplete="off"
                value={typed.plate ?? plate}
                onChange={({ target }) => setTyped({ ...typed, plate: target.value })}
              />
            )}
          </Field>
          <Field label={t("mileageStart")} error={wrong ? t("wrongNumber") : undefined}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                value={typed.mileage}
                onChange={({ target }) => setTyped({ ...typed, mileage: target.value })}
              />
            )}
          </Field>
          <PhotoField
            label={t("photoStart")}
            of={{ kind: "time", id, side: "start" }}
            there={undefined}
            photo={photo}
            onPhoto={setPhoto}
          />
        </div>
      </details>
      {failed && <Notice tone="danger">{t("notKept")}</Notice>}
    </section>
  );
}

function Running({ work }: { work: SeenWork }) {
  const { t } = useTranslation("tracking");
  const { timeZone } = useConfig();
  const keep = useKeep();
  const now = localMinute(timeZone, useNow());
  const [pause, setPause] = useState(() => breakOf(work.id));
  const [failed, setFailed] = useState(false);
  const { id, fields, theirs, waiting } = work;
  const inBreak = pause ? minutesBetween(pause, now, timeZone) : 0;
  const minutes = minutesBetween(fields.startedAt, now, timeZone) - fields.breakMinutes - inBreak;
  const rest = () => {
    const since = localMinute(timeZone);
    noteBreak(id, since);
    setPause(since);
  };
  const goOn = async () => {
    const lasted = pause ? Math.max(0, minutesBetween(pause, localMinute(timeZone), timeZone)) : 0;
    const entry = { ...workFieldsOf(fields), breakMinutes: fields.breakMinutes + lasted };
    setFailed(false);
    try {
      if (lasted > 0) await keep({ id, kind: "time", version: waiting?.version ?? theirs?.version ?? 0, entry });
      noteBreak(id, undefined);
      setPause(undefined);
    } catch {
      setFailed(true);
    }
  };
  return (
    <section className={styles.card} aria-label={t("timeEntry")}>
      <h2>{t(pause ? "onBreak" : "atWork", { time: (pause ?? fields.startedAt).slice(11) })}</h2>
      <div className={styles.clock}>{hours(minutes)}</div>
      {fields.breakMinutes + inBreak > 0 && <p>{t("breaksSoFar", { minutes: fields.breakMinutes + inBreak })}</p>}
      {minutes > LONG && <Notice tone="warning">{t("forgotten", { time: hours(minutes) })}</Notice>}
      <div className={styles.actions}>
        <Link className="button button-primary button-large button-block" to={`/time-tracker/edit/${id}?end`}>
          <Square aria-hidden size={18} strokeWidth={2} />
          <span>{t("endWork")}</span>
        </Link>
        <Button
          size="large"
          block
          icon={<Coffee aria-hidden size={20} strokeWidth={1.75} />}
          onClick={pause ? () => void goOn() : rest}
        >
          {t(pause ? "endBreak" : "startBreak")}
        </Button>
      </div>
      {failed && <Notice tone="danger">{t("notKept")}</Notice>}
    </section>
  );
}
