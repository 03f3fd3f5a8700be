import { CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import { useProviderNames } from "../explain/queries";
import { daySpan } from "../format/date";
import { useLanguage } from "../i18n";
import { useTranslation } from "../i18n/translation";
import { useAmounts } from "../session/amounts";
import type { Card } from "./calls";
import { litres } from "./figures";
import styles from "./fuel.module.css";

/** The cards of a driver with their limits; `acts` is what can be done with one. */
export function Cards({ cards, acts }: { cards: readonly Card[]; acts?: (card: Card) => ReactNode }) {
  return (
    <ul className={styles.cards}>
      {cards.map((card) => (
        <li key={card.id} className={styles.card}>
          <Head card={card} />
          <Limits card={card} />
          {acts?.(card)}
        </li>
      ))}
    </ul>
  );
}

function Head({ card: { provider, number, kind, limits } }: { card: Card }) {
  const { t } = useTranslation("fuel");
  const language = useLanguage();
  const { full } = useAmounts();
  const providerName = useProviderNames();
  const facts = [
    kind && t(`kind_${kind}`),
    limits.plate,
    limits.tank > 0 && t("tankOf", { litres: litres(limits.tank, language, 0) }),
    limits.discount > 0 && t("discountOf", { amount: full(limits.discount) }),
    (limits.validFrom || limits.validTo) && validity(t, limits, language),
  ].filter(Boolean);
  return (
    <>
      <h3 className={styles.number}>
        <CreditCard aria-hidden size={20} strokeWidth={1.75} />
        <span>{providerName(provider)}</span>
        {/* The dots are read as words. */}
        <span aria-hidden>{number}</span>
        <span className="sr-only">{t("endsIn", { digits: number.replace(/\D/g, "") })}</span>
      </h3>
      {facts.length > 0 && <p className={styles.facts}>{facts.join(" · ")}</p>}
    </>
  );
}

type Translate = ReturnType<typeof useTranslation<"fuel">>["t"];

function validity(t: Translate, { validFrom, validTo }: Card["limits"], language: ReturnType<typeof useLanguage>) {
  if (!validTo) return t("validFrom", { day: daySpan(validFrom, validFrom, language) });
  if (!validFrom) return t("validTo", { day: daySpan(validTo, validTo, language) });
  return t("valid", { days: daySpan(validFrom, validTo, language) });
}

function Limits({ card: { limits, usedDay, usedMonth, usedAmount } }: { card: Card }) {
  const { t } = useTranslation("fuel");
  const language = useLanguage();
  const { full } = useAmounts();
  const inLitres = (ml: number) => t("litres", { litres: litres(ml, language, 0) });
  const bars = [
    { name: t("limitDay"), used: usedDay, limit: limits.day, written: inLitres },
    { name: t("limitMonth"), used: usedMonth, limit: limits.month, written: inLitres },
    { name: t("limitAmount"), used: usedAmount, limit: limits.monthAmount, written: full },
  ].filter(({ limit }) => limit > 0);
  if (bars.length === 0) return null;
  return (
    <dl className={styles.limits}>
      {bars.map(({ name, used, limit, written }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className={styles.bar} aria-hidden data-over={used >= limit || undefined}>
              <span style={{ inlineSize: `${Math.min(100, Math.round((used * 100) / limit))}%` }} />
            </span>
            <span>{t("usedOf", { used: written(used), limit: written(limit) })}</span>{" "}
            <b>
              {used < limit
                ? t("left", { amount: written(limit - used) })
                : used === limit
                  ? t("reached")
                  : t("over", { amount: written(used - limit) })}
            </b>
          </dd>
        </div>
      ))}
    </dl>
  );
}
