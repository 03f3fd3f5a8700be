import { Link } from "react-router";
import { changeOf } from "../../stats/days";
import { change } from "../../format/share";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import type { Equation } from "../../stats/calls";
import styles from "./stats.module.css";

interface EquationsProps {
  now: Equation;
  /** Of as many weeks before; undefined: nobody asked. */
  before: Equation | undefined;
  /** Where the settlements behind the figures are. */
  to: string;
}

interface Compared extends EquationsProps {
  /** The days of the weeks before. */
  previous: string;
}

type Figure = Exclude<keyof Equation, "settlements">;
type Term = readonly [sign: "" | "+" | "−" | "=", figure: Figure];

const FIRST: readonly Term[] = [
  ["", "revenue"],
  ["−", "fee"],
  ["−", "cash"],
  ["=", "left"],
];
const SECOND: readonly Term[] = [
  ["", "left"],
  ["−", "earned"],
  ["−", "tax"],
  ["−", "costs"],
  ["+", "broughtForward"],
  ["−", "carriedForward"],
  ["=", "payouts"],
];

/** What became of the revenue: what drivers had already, what was kept, what was paid. Both lines add up. */
export function Equations({ now, before, to, previous }: Compared) {
  const { t } = useTranslation("stats");
  const { sign } = useAmounts();
  return (
    <section className={styles.equations} aria-labelledby="stats-equation">
      <h2 id="stats-equation">{t("eqTitle")}</h2>
      <p>
        {[
          t("eqLead", { count: now.settlements, currency: sign.trim() }),
          ...(before ? [t("eqBefore", { count: before.settlements, days: previous })] : []),
        ].join(" ")}
      </p>
      <Line terms={FIRST} now={now} before={before} to={to} label={t("eqFirst")} />
      <Line terms={SECOND} now={now} before={before} to={to} label={t("eqSecond")} />
    </section>
  );
}

function Line({ terms, now, before, to, label }: EquationsProps & { terms: readonly Term[]; label: string }) {
  const { t } = useTranslation("stats");
  const { plain, sign: currency } = useAmounts();
  const language = useLanguage();
  return (
    <dl className={styles.equation} aria-label={label}>
      {terms.map(([usual, figure]) => {
        // What is taken away below zero is added: the signs between the figures are those of the sum.
        const turned = now[figure] < 0 && (usual === "+" || usual === "−");
        const sign = turned ? (usual === "+" ? "−" : "+") : usual;
        const moved = before && changeOf(now[figure], before[figure]);
        return (
          <div key={figure} data-result={sign === "=" || undefined}>
            <dt>{t(figure)}</dt>
            <dd>
              {sign && <span className={styles.sign}>{sign}</span>}
              <Link to={to}>{plain(turned ? -now[figure] : now[figure])}</Link>
              {sign === "=" && <small>{currency}</small>}
            </dd>
            {before && (
              <dd className={styles.before}>
                <span className="sr-only">{t("previous")} </span>
                {plain(turned ? -before[figure] : before[figure])}
                {moved !== undefined && <b>{change(moved, language)}</b>}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
