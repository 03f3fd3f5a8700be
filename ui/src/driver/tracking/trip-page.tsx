import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Navigate, useParams } from "react-router";
import { today } from "../../format/date";
import { useConfig } from "../../session/config";
import { localMinute, type TripFields } from "../../tracking/entries";
import { Conflict } from "./conflict";
import { EntryHead } from "./entry-head";
import { type SeenTrip, useTrips } from "./list";
import { Loading } from "./loading";
import { TripForm } from "./trip-form";
import styles from "./tracking.module.css";

const LIST = "/trip-tracker";

/** A new trip, or one to look at and change. */
export default function TripPage() {
  const { t } = useTranslation("tracking");
  const { id } = useParams();
  const trips = useTrips(id ? 60 : undefined);
  const trip = trips.entries.find((one) => one.id === id);
  if (id && !trip && !trips.loading && trips.ready && !trips.problem) return <Navigate to={LIST} replace />;
  return (
    <div className={styles.page}>
      <EntryHead to={LIST} title={t(id ? "tripTitle" : "addTrip")} />
      {id ? trip ? <Opened key={trip.id} trip={trip} /> : <Loading of={trips} /> : <New before={trips.entries} />}
    </div>
  );
}

function New({ before }: { before: readonly SeenTrip[] }) {
  const { timeZone } = useConfig();
  const [id] = useState(() => crypto.randomUUID());
  const [fields] = useState<TripFields>(() => ({
    occurredOn: today(timeZone),
    startAt: localMinute(timeZone).slice(11),
    endAt: "",
    startPlace: "",
    endPlace: "",
    amount: 0,
    payment: "cash",
  }));
  return <TripForm trip={{ id, fields, theirs: undefined, waiting: undefined }} before={before} />;
}

function Opened({ trip }: { trip: SeenTrip }) {
  if (trip.waiting?.state === "conflict") return <Conflict of={trip} back={LIST} />;
  return <TripForm trip={trip} before={[]} />;
}
