import { Banknote, CreditCard } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { today } from "../../format/date";
import { parseHundredths } from "../../format/hundredths";
import { money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { useAmounts } from "../../session/amounts";
import { tripFieldsOf } from "../../tracking/entries";
import type { SeenTrip } from "./list";
import { type Photo, PhotoField } from "./photo-field";
import { Refused } from "./refused";
import { RemoveButton } from "./remove-button";
import { useSaving } from "./saving";
import styles from "./tracking.module.css";

/** Places of earlier trips, the latest first. */
const placesOf = (trips: readonly SeenTrip[]) =>
  [...new Set(trips.flatMap(({ fields }) => [fields.startPlace, fields.endPlace]).filter(Boolean))].slice(0, 20);

/** What a person says of a trip: the amount first. A settled one is shown and cannot change. */
export function TripForm({ trip, before }: { trip: SeenTrip; before: readonly SeenTrip[] }) {
  const { t } = useTranslation("tracking");
  const language = useLanguage();
  const { sign } = useAmounts();
  const { timeZone } = useConfig();
  const session = useSession();
  const { theirs, waiting } = trip;
  const [fields, setFields] = useState(() => tripFieldsOf(trip.fields));
  const [amount, setAmount] = useState(() => (fields.amount > 0 ? money(BigInt(fields.amount), language) : ""));
  const [photo, setPhoto] = useState<Photo>();
  const [wrong, setWrong] = useState<{ amount?: boolean; date?: boolean }>({});
  const { save, remove, failed, busy } = useSaving({ ...trip, kind: "trip", back: "/trip-tracker" });
  const settled = Boolean(theirs?.settlementId);
  const readOnly = settled || !session.may("account.write");
  const set = (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change }));
  const submit = () => {
    const minor = parseHundredths(amount, language);
    const found = { amount: minor === undefined || minor <= 0, date: !fields.occurredOn };
    setWrong(found);
    if (found.amount || found.date || minor === undefined) return;
    const text = { startPlace: fields.startPlace.trim(), endPlace: fields.endPlace.trim() };
    void save({ ...fields, ...text, amount: minor }, { payment: photo });
  };
  const there = waiting?.photos.includes("payment")
    ? "device"
    : theirs?.photo && !waiting?.gone.includes("payment")
      ? "server"
      : undefined;
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !readOnly) submit();
      }}
    >
      {theirs && settled && (
        <Notice tone="info">
          {t("settledBody")}{" "}
          <Link to={`/driver/settlements/${theirs.settlementId}`}>
            {t("toSettlement", { number: theirs.settlementNumber })}
          </Link>
        </Notice>
      )}
      {theirs?.refuseReason && <Notice tone="warning">{t("notCountedBy", { reason: theirs.refuseReason })}</Notice>}
      <Refused of={waiting} back="/trip-tracker" />
      <div className={styles.amount}>
        <Field label={`${t("amount")} (${sign.trim()})`} required error={wrong.amount ? t("wrongAmount") : undefined}>
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              autoFocus={!theirs && !waiting}
              readOnly={readOnly}
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
            />
          )}
        </Field>
      </div>
      <fieldset className={styles.tiles} disabled={readOnly}>
        <legend>{t("payment")}</legend>
        {(["cash", "card"] as const).map((payment) => (
          <label key={payment} className={styles.tile}>
            {payment === "cash" ? (
              <Banknote aria-hidden size={20} strokeWidth={1.75} />
            ) : (
              <CreditCard aria-hidden size={20} strokeWidth={1.75} />
            )}
            {t(payment)}
            <input type="radio" name="payment" checked={fields.payment === payment} onChange={() => set({ payment })} />
          </label>
        ))}
      </fieldset>
      <Field
        label={t("date")}
        required
        error={wrong.date ? t("required") : undefined}
        hint={fields.occurredOn > today(timeZone) ? t("future") : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="date"
            readOnly={readOnly}
            value={fields.occurredOn}
            onChange={({ target }) => set({ occurredOn: target.value })}
          />
        )}
      </Field>
      <div className={styles.pair}>
        {(["startAt", "endAt"] as const).map((name) => (
          <Field key={name} label={t(name)}>
            {(control) => (
              <input
                {...control}
                type="time"
                readOnly={readOnly}
                value={fields[name]}
                onChange={({ target }) => set({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <datalist id="places">
        {placesOf(before).map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
      {(["startPlace", "endPlace"] as const).map((name) => (
        <Field key={name} label={t(name)}>
          {(control) => (
            <input
              {...control}
              list="places"
              maxLength={200}
              autoComplete="off"
              readOnly={readOnly}
              value={fields[name]}
              onChange={({ target }) => set({ [name]: target.value })}
            />
          )}
        </Field>
      ))}
      <PhotoField
        label={t("photo")}
        of={{ kind: "trip", id: trip.id, side: "payment" }}
        there={there}
        photo={photo}
        onPhoto={setPhoto}
        readOnly={readOnly}
      />
      {failed && <Notice tone="danger">{t("notKept")}</Notice>}
      {!readOnly && (
        <div className={styles.actions}>
          <Button kind="primary" type="submit" size="large" block loading={busy}>
            {t("save")}
          </Button>
          {(theirs ?? waiting) && !waiting?.deleted && (
            <RemoveButton title={t("removeTripTitle")} onRemove={() => void remove(trip.fields)} />
          )}
        </div>
      )}
    </form>
  );
}
