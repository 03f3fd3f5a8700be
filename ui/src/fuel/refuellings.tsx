import { CircleHelp, TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { weekday, weekdayMoment } from "../format/date";
import { useLanguage } from "../i18n";
import { useTranslation } from "../i18n/translation";
import { useAmounts } from "../session/amounts";
import { useConfig } from "../session/config";
import type { Card, Refuelling } from "./calls";
import { kilometres, litres, price, weekOf } from "./figures";
import styles from "./fuel.module.css";

interface RefuellingsProps {
  refuellings: readonly Refuelling[];
  cards: readonly Card[];
  /** Whether it is the driver's own list: then settled rows lead to their settlement and can be asked about. */
  own?: boolean;
}

/** Refuellings, newest first, each with what the file says of it and where it was settled. */
export function Refuellings({ refuellings, cards, own = false }: RefuellingsProps) {
  return (
    <ul className={styles.list}>
      {refuellings.map((one) => (
        <li key={one.id}>
          <Row one={one} card={cards.length > 1 ? cards.find(({ id }) => id === one.card) : undefined} own={own} />
        </li>
      ))}
    </ul>
  );
}

/** The line of a settlement that a purchase is in. */
const LINES: Record<string, string> = { FUEL: "fuelCost", COST: "costs", CARD_FEE: "costs" };

const ODDITIES = ["two_towns", "two_cards", "over_tank", "odometer_back", "odometer_jump"] as const;

function Row({ one, card, own }: { one: Refuelling; card: Card | undefined; own: boolean }) {
  const { t } = useTranslation("fuel");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full, sign } = useAmounts();
  // ORLEN names stations by numbers.
  const station = /^\d+$/.test(one.station) ? t("station", { number: one.station }) : one.station;
  const place = [one.town, station].filter(Boolean).join(", ");
  const line = LINES[one.type];
  const about = [
    place && one.product,
    one.millilitres !== 0 && t("litres", { litres: litres(one.millilitres, language) }),
    one.unitPrice > 0 && t("perLitre", { amount: price(one.unitPrice, language) + sign }),
    one.odometer > 0 && t("odometer", { km: kilometres(one.odometer, language) }),
    card?.number,
  ].filter(Boolean);
  return (
    <div className={styles.row}>
      <div className={styles.top}>
        <b>{place || one.product || t("fuel")}</b>
        <b className={styles.gross}>{full(one.gross)}</b>
      </div>
      <p>{one.at ? weekdayMoment(one.at, language, timeZone) : weekday(one.on, language)}</p>
      {about.length > 0 && <p>{about.join(" · ")}</p>}
      {one.correction && <p>{t("correction")}</p>}
      {ODDITIES.filter((odd) => one.odd.includes(odd)).map((odd) => (
        <p key={odd} className={styles.odd}>
          <TriangleAlert aria-hidden size={16} strokeWidth={1.75} />
          {t(`odd_${odd}`)}
        </p>
      ))}
      <p className={styles.foot}>
        {one.period ? (
          own ? (
            <Link to={`/driver/settlements/${one.settlementId}`}>{t("settledIn", { week: weekOf(one.period) })}</Link>
          ) : (
            <span>{t("settledIn", { week: weekOf(one.period) })}</span>
          )
        ) : (
          <span>{t("pending")}</span>
        )}
        {own && one.period && line && (
          <Link
            className={styles.ask}
            aria-label={t("askAbout", { place: place || one.product, amount: full(one.gross) })}
            to={`/driver/settlements/${one.settlementId}/ask?figure=${line}&row=${one.id}`}
          >
            <CircleHelp aria-hidden size={16} strokeWidth={1.75} />
            {t("ask")}
          </Link>
        )}
      </p>
    </div>
  );
}
