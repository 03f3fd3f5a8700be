import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { Button } from "../../components/button";
import type { Fields, Theirs } from "../../waiting/sender";
import type { Seen } from "./list";
import { giveUp, sendOver } from "../../waiting/outbox";
import styles from "./tracking.module.css";
import { LABELS, namesOf, useValue, valuesOf } from "./written";

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
  const mine = valuesOf(of);
  const other = valuesOf(beside);
  return (
    <section>
      <h3>{title}</h3>
      {gone ? (
        <p>{gone}</p>
      ) : (
        <dl>
          {namesOf(of).map((name) => (
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
