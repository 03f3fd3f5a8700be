import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { hours, localMinute, minutesBetween, type WorkFields } from "../../tracking/entries";
import type { SeenWork } from "./list";
import { type Photo, PhotoField } from "./photo-field";
import { Refused } from "./refused";
import { RemoveButton } from "./remove-button";
import { useSaving } from "./saving";
import { wholeOf } from "./whole";
import { noteBreak, worked, wrongIn, type WrongWork } from "./work";
import styles from "./tracking.module.css";

interface TimeFormProps {
  work: SeenWork;
  /** What stands in the form at first. */
  begin: WorkFields;
  all: readonly SeenWork[];
  /** Whether the work is ended with this form. */
  ends?: boolean;
}

const NUMBERS = ["breakMinutes", "mileageStart", "mileageEnd"] as const;
type NumberName = (typeof NUMBERS)[number];

const overlaps = (a: WorkFields, b: WorkFields) =>
  a.startedAt < (b.endedAt || "9999") && b.startedAt < (a.endedAt || "9999");

/** What a person says of their working time. The time worked is computed beside it. */
export function TimeForm({ work, begin, all, ends }: TimeFormProps) {
  const { t } = useTranslation("tracking");
  const { timeZone } = useConfig();
  const session = useSession();
  const { theirs, waiting } = work;
  const [fields, setFields] = useState(begin);
  const [typed, setTyped] = useState<Record<NumberName, string>>(() => ({
    breakMinutes: begin.breakMinutes ? String(begin.breakMinutes) : "",
    mileageStart: begin.mileageStart ? String(begin.mileageStart) : "",
    mileageEnd: begin.mileageEnd ? String(begin.mileageEnd) : "",
  }));
  const [photos, setPhotos] = useState<{ start?: Photo; end?: Photo }>({});
  const [wrong, setWrong] = useState<Partial<Record<keyof WorkFields, WrongWork | "wrongNumber">>>({});
  const { save, remove, failed, busy } = useSaving({ ...work, kind: "time", back: "/time-tracker" });
  const readOnly = !session.may("account.write");
  const set = (change: Partial<WorkFields>) => setFields((now) => ({ ...now, ...change }));
  const running = !work.waiting && !work.theirs ? false : !work.fields.endedAt;
  const submit = () => {
    const numbers = { breakMinutes: 0, mileageStart: 0, mileageEnd: 0 };
    const found: typeof wrong = {};
    for (const name of NUMBERS) {
      const number = wholeOf(typed[name]);
      if (number === undefined) found[name] = "wrongNumber";
      else numbers[name] = number;
    }
    const entry = { ...fields, ...numbers, plate: fields.plate.trim(), note: fields.note.trim() };
    Object.assign(found, wrongIn(entry, timeZone));
    if (!entry.endedAt && (ends || !running)) found.endedAt = "required";
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    if (entry.endedAt) noteBreak(work.id, undefined);
    void save(entry, photos);
  };
  const say = (name: keyof WorkFields) => {
    const found = wrong[name];
    return found && t(found);
  };
  const number = (name: NumberName, label: "breaks" | "mileageStart" | "mileageEnd") => (
    <Field label={t(label)} error={say(name)}>
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          readOnly={readOnly}
          value={typed[name]}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
        />
      )}
    </Field>
  );
  const minute = (name: "startedAt" | "endedAt", label: "startAt" | "endAt") => (
    <Field label={t(label)} required={name === "startedAt" || !running || Boolean(ends)} error={say(name)}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          readOnly={readOnly}
          value={fields[name]}
          onChange={({ target }) => set({ [name]: target.value })}
        />
      )}
    </Field>
  );
  const photo = (side: "start" | "end", label: "photoStart" | "photoEnd") => (
    <PhotoField
      label={t(label)}
      of={{ kind: "time", id: work.id, side }}
      there={
        waiting?.photos.includes(side)
          ? "device"
          : (side === "start" ? theirs?.photoStart : theirs?.photoEnd) && !waiting?.gone.includes(side)
            ? "server"
            : undefined
      }
      photo={photos[side]}
      onPhoto={(picked) => setPhotos((now) => ({ ...now, [side]: picked }))}
      readOnly={readOnly}
    />
  );
  const breaks = wholeOf(typed.breakMinutes) ?? 0;
  const minutes =
    fields.startedAt && fields.endedAt ? worked({ ...fields, breakMinutes: breaks }, timeZone) : undefined;
  const overlapping = all.some((one) => one.id !== work.id && !one.waiting?.deleted && overlaps(fields, one.fields));
  const forgotten = ends && !begin.endedAt;
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !readOnly) submit();
      }}
    >
      {theirs?.refuseReason && <Notice tone="warning">{t("notCountedBy", { reason: theirs.refuseReason })}</Notice>}
      <Refused of={waiting} back="/time-tracker" />
      {forgotten && (
        <Notice tone="warning">
          {t("forgotten", { time: hours(minutesBetween(fields.startedAt, localMinute(timeZone), timeZone)) })}
        </Notice>
      )}
      {minute("startedAt", "startAt")}
      {minute("endedAt", "endAt")}
      {number("breakMinutes", "breaks")}
      {minutes !== undefined && minutes >= 0 && (
        <p role="status">
          <b>{t("worked", { time: hours(minutes) })}</b>
        </p>
      )}
      {overlapping && <Notice tone="warning">{t("overlap")}</Notice>}
      <Field label={t("plate")}>
        {(control) => (
          <input
            {...control}
            maxLength={15}
            autoComplete="off"
            readOnly={readOnly}
            value={fields.plate}
            onChange={({ target }) => set({ plate: target.value })}
          />
        )}
      </Field>
      {number("mileageStart", "mileageStart")}
      {photo("start", "photoStart")}
      {number("mileageEnd", "mileageEnd")}
      {photo("end", "photoEnd")}
      <Field label={t("note")}>
        {(control) => (
          <textarea
            {...control}
            maxLength={500}
            readOnly={readOnly}
            value={fields.note}
            onChange={({ target }) => set({ note: target.value })}
          />
        )}
      </Field>
      {failed && <Notice tone="danger">{t("notKept")}</Notice>}
      {!readOnly && (
        <div className={styles.actions}>
          <Button kind="primary" type="submit" size="large" block loading={busy}>
            {t(ends ? "endWork" : "save")}
          </Button>
          {(theirs ?? waiting) && !waiting?.deleted && (
            <RemoveButton title={t("removeTimeTitle")} onRemove={() => void remove(work.fields)} />
          )}
        </div>
      )}
    </form>
  );
}
