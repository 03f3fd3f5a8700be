import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { Button } from "../../components/button";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { count } from "../../format/number";
import { fieldsOf, isTrip, type Fields, type Theirs } from "../../waiting/sender";
import type { Seen } from "./list";
import { giveUp, sendOver } from "../../waiting/outbox";
import styles from "./tracking.module.css";

const TRIP = ["amount", "payment", "occurredOn", "startAt", "endAt", "startPlace", "endPlace"] as const;
const WORK = ["startedAt", "endedAt", "breakMinutes", "mileageStart", "mileageEnd", "plate", "note"] as const;
const LABELS = {
  amount: "amount",
  payment: "payment",
  occurredOn: "date",
  startAt: "startAt",
  endAt: "endAt",
  startPlace: "startPlace",
  endPlace: "endPlace",
  startedAt: "startAt",
  endedAt: "endAt",
  breakMinutes: "breaks",
  mileageStart: "mileageStart",
  mileageEnd: "mileageEnd",
  plate: "plate",
  note: "note",
} as const;
type Name = keyof typeof LABELS;

/** What this device has beside what the server has: the person chooses, nothing is put together by a clock. */
export function Conflict({ of, back }: { of: Seen<Fields, Theirs>; back: string }) {
  const { t } = useTranslation("tracking");
  const navigate = useNavigate();
  const { waiting } = of;
  const theirs = waiting?.theirs as Theirs | undefined;
  if (!waiting || !theirs) return null;
  const settled = "settlementId" in theirs ? theirs.settlementId : "";
  const go = (done: Promise<unknown>) => void done.then(() => navigate(back, { replace: true }));
  return (
    <div className={styles.form}>
      <h2 className={styles.question}>{t("conflictTitle")}</h2>
      <p>{t(settled ? "settledBody" : "conflictBody")}</p>
      <div className={styles.versions}>
        <Version title={t("mine")} of={waiting.entry} beside={theirs} gone={waiting.deleted ? t("deletedHere") : ""} />
        <Version
          title={t("theirs")}
          of={theirs}
          beside={waiting.entry}
          gone={theirs.deleted ? t("deletedThere") : ""}
        />
      </div>
      <div className={styles.actions}>
        {settled ? (
          <Link to={`/driver/settlements/${settled}/ask`}>{t("askAbout")}</Link>
        ) : (
          <Button kind="primary" size="large" block onClick={() => go(sendOver(waiting.id, theirs.version))}>
            {t("keepMine")}
          </Button>
        )}
        <Button size="large" block onClick={() => go(giveUp(waiting.id))}>
          {t("keepTheirs")}
        </Button>
      </div>
    </div>
  );
}

interface VersionProps {
  title: string;
  of: Fields;
  beside: Fields;
  /** Said instead of the fields of what is deleted. */
  gone: string;
}

function Version({ title, of, beside, gone }: VersionProps) {
  const { t } = useTranslation("tracking");
  const write = useValue();
  const mine = fieldsOf(of) as unknown as Record<Name, string | number>;
  const other = fieldsOf(beside) as unknown as Record<Name, string | number>;
  return (
    <section>
      <h3>{title}</h3>
      {gone ? (
        <p>{gone}</p>
      ) : (
        <dl>
          {(isTrip(of) ? TRIP : WORK).map((name) => (
            <div key={name} data-differs={mine[name] !== other[name] || undefined}>
              <dt>{t(LABELS[name])}</dt>
              <dd>{write(name, mine[name])}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function useValue() {
  const { t } = useTranslation("tracking");
  const language = useLanguage();
  const { full } = useAmounts();
  return (name: Name, value: string | number) => {
    if (name === "amount") return full(Number(value));
    if (name === "payment") return t(value === "cash" ? "cash" : "card");
    if (value === "" || (value === 0 && name !== "breakMinutes")) return t("none");
    return typeof value === "number" ? count(value, language) : value.replace("T", " ");
  };
}
