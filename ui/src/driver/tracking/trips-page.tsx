import { Banknote, Camera, CreditCard, MapPin, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { type SeenTrip, useTrips, WEEKS } from "./list";
import { Loading } from "./loading";
import { EntryState } from "./state";
import { inWeeks, newest, ROWS, type Shown } from "./weeks";
import { WeekSection } from "./week-section";
import styles from "./tracking.module.css";

const when = ({ fields }: SeenTrip) => `${fields.occurredOn}T${fields.startAt}`;

/** Whether a trip counts in the sums of its week. */
const counts = ({ waiting, theirs }: SeenTrip) => !waiting?.deleted && !theirs?.refuseReason;

/** A driver's trips by week; a new one is under the thumb. */
export default function TripsPage() {
  const { t } = useTranslation(["tracking", "accounts"]);
  const [weeks, setWeeks] = useState(WEEKS);
  const [most, setMost] = useState(ROWS);
  const trips = useTrips(weeks);
  const session = useSession();
  const mayWrite = session.may("account.write");
  return (
    <div className={styles.page}>
      <h1 className="sr-only">{t("accounts:tripsTitle")}</h1>
      <Loading of={trips} />
      {trips.entries.length === 0 && !trips.loading && trips.ready && (
        <FirstUse icon={MapPin} title={t("noTripsTitle")} body={t("noTripsBody")} />
      )}
      {newest(inWeeks(trips.entries, when), most).map((shown) => (
        <TripWeek key={shown.week.from} shown={shown} />
      ))}
      {(trips.entries.length > most || (!session.offline && trips.entries.length > 0)) && (
        <Button
          kind="text"
          onClick={() => (trips.entries.length > most ? setMost(most + ROWS) : setWeeks(weeks + WEEKS))}
        >
          {t("older")}
        </Button>
      )}
      {mayWrite && (
        <div className={styles.thumb}>
          <Link className="button button-primary button-large button-block" to="/trip-tracker/add">
            <Plus aria-hidden size={20} strokeWidth={2} />
            <span>{t("addTrip")}</span>
          </Link>
        </div>
      )}
    </div>
  );
}

function TripWeek({ shown }: { shown: Shown<SeenTrip> }) {
  const { t } = useTranslation("tracking");
  const { full } = useAmounts();
  const all = shown.week.days.flatMap(({ entries }) => entries).filter(counts);
  const sum = (payment?: string) =>
    all.reduce((n, { fields }) => (!payment || fields.payment === payment ? n + fields.amount : n), 0);
  const paid = (["cash", "card"] as const).filter((payment) => sum(payment) > 0);
  const sums = [[t("sumTrips"), full(sum())] as const, ...paid.map((one) => [t(one), full(sum(one))] as const)];
  return <WeekSection shown={shown} sums={sums} row={(trip) => <TripRow trip={trip} />} />;
}

const hasPhoto = ({ theirs, waiting }: SeenTrip) =>
  waiting?.photos.includes("payment") === true || (theirs?.photo === true && !waiting?.gone.includes("payment"));

function TripRow({ trip }: { trip: SeenTrip }) {
  const { t } = useTranslation("tracking");
  const { full } = useAmounts();
  const { fields, theirs, waiting } = trip;
  const places = [fields.startPlace, fields.endPlace].filter(Boolean).join(" → ");
  const times = [fields.startAt, fields.endAt].filter(Boolean).join("–");
  const Icon = fields.payment === "cash" ? Banknote : CreditCard;
  return (
    <Link className={styles.row} to={`/trip-tracker/edit/${trip.id}`} {...(waiting?.deleted && { "data-gone": true })}>
      <Icon aria-hidden size={22} strokeWidth={1.75} />
      <span className={styles.what}>
        <b>{places || t("tripTitle")}</b>
        <small>{[times, t(fields.payment)].filter(Boolean).join(" · ")}</small>
        <EntryState of={trip} />
        {!hasPhoto(trip) && !theirs?.settlementId && (
          <span className={styles.state} data-tone="plain">
            <Camera aria-hidden size={14} strokeWidth={2} />
            {t("noPhoto")}
          </span>
        )}
      </span>
      <b className={styles.end}>{full(fields.amount)}</b>
    </Link>
  );
}
