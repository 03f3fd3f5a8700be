import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import type { PendingTotals } from "./queries";

/** The totals of the whole filter as an equation whose result carries the double rule. */
export function Totals({ totals }: { totals: PendingTotals | undefined }) {
  const { t } = useTranslation("settlements");
  const { full } = useAmounts();
  if (!totals)
    return (
      <div className="settlements-totals" aria-hidden>
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index}>
            <span className="bar settlements-totals-wait" />
          </div>
        ))}
      </div>
    );
  const parts = [
    { sign: "", label: t("revenueOf", { count: totals.drivers }), minor: totals.revenue },
    { sign: "−", label: t("cash"), minor: totals.cash },
    { sign: "−", label: t("fees"), minor: totals.fees },
    { sign: "−", label: t("costs"), minor: totals.costs },
    totals.previous > 0
      ? { sign: "+", label: t("previousPlus"), minor: totals.previous }
      : { sign: "−", label: t("previousMinus"), minor: -totals.previous },
  ];
  return (
    <dl className="settlements-totals" aria-label={t("totals")}>
      {parts.map(({ sign, label, minor }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {sign && <span className="settlements-sign">{sign}</span>}
            <Figure minor={minor} />
          </dd>
        </div>
      ))}
      <div className="settlements-result">
        <dt>{t("dueTotal")}</dt>
        <dd>
          <span className="settlements-sign">=</span>
          <Figure minor={totals.due} ruled />
        </dd>
        {totals.payout !== totals.due && (
          <dd className="settlements-now">
            {t("payableNow", { number: totals.settleable, sum: full(totals.payout) })}
          </dd>
        )}
      </div>
    </dl>
  );
}

/** A figure with its currency, small; under what is paid stands the double rule. */
export function Figure({ minor, ruled = false }: { minor: number; ruled?: boolean }) {
  const { plain, sign } = useAmounts();
  return (
    <span className={minor < 0 ? "settlements-debt" : undefined}>
      <span className={ruled ? "settlements-rule" : undefined}>{plain(minor)}</span>
      <small>{sign}</small>
    </span>
  );
}
