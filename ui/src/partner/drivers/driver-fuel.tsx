import { useState } from "react";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { type Card, useDriverFuel } from "../../fuel/calls";
import { Cards } from "../../fuel/cards";
import { Refuellings } from "../../fuel/refuellings";
import { SpanChoice, useDays, type Weeks } from "../../fuel/span";
import { NextCharge, Totals } from "../../fuel/summary";
import { useTranslation } from "../../i18n/translation";
import { FuelCardDialog } from "./fuel-card-dialog";
import styles from "./driver-fuel.module.css";

/** A driver's fuel cards with their limits, and refuellings with what looks odd. */
export default function DriverFuel({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const { t } = useTranslation(["fuel", "common"]);
  const [weeks, setWeeks] = useState<Weeks>(13);
  const [edited, setEdited] = useState<string>();
  const found = useDriverFuel(id, useDays(weeks));
  const of = found.data;
  const card = of?.cards.find((one) => one.id === edited);
  const odd = of?.refuellings.filter((one) => one.odd.length > 0).length ?? 0;
  const acts = (one: Card) => (
    <div>
      <Button onClick={() => setEdited(one.id)} aria-label={t("editOf", { number: one.number })}>
        {t("edit")}
      </Button>
    </div>
  );
  return (
    <Section title={t("title")} lead={t("partnerLead")}>
      {found.isError && !of && (
        <Notice tone="danger" action={<Button onClick={() => void found.refetch()}>{t("common:retry")}</Button>}>
          {t("loadFailed")}
        </Notice>
      )}
      <div className={styles.fuel} aria-busy={!of}>
        {of && of.cards.length === 0 && of.refuellings.length === 0 && !of.next && <p>{t("partnerEmpty")}</p>}
        {of && <Cards cards={of.cards} {...(mayWrite && { acts })} />}
        {of?.next && <NextCharge next={of.next} />}
        <SpanChoice weeks={weeks} onChange={setWeeks} />
        {of && of.refuellings.length > 0 && (
          <>
            <Totals of={of} />
            {odd > 0 && <Notice tone="warning">{t("oddCount", { count: odd })}</Notice>}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
            <div className={styles.scrolls} role="region" aria-label={t("refuellings")} tabIndex={0}>
              <Refuellings refuellings={of.refuellings} cards={of.cards} />
            </div>
          </>
        )}
      </div>
      {card && <FuelCardDialog key={card.id} driver={id} card={card} onClose={() => setEdited(undefined)} />}
    </Section>
  );
}
