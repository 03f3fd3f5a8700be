import {
  Banknote,
  ChartNoAxesColumnIncreasing,
  ChevronRight,
  FileText,
  Fuel,
  HandCoins,
  Handshake,
  History,
  Landmark,
  type LucideIcon,
  Percent,
  ReceiptText,
  Tickets,
  Wrench,
} from "lucide-react";
import { useContext, useId, useState } from "react";
import { Link } from "react-router";
import { useConfig } from "../session/config";
import { usePrinting } from "../browser/media";
import { currencySign } from "../format/money";
import { Asking, AskingLine } from "./asking";
import { noteOf } from "./notes";
import { explanationOf } from "./figures";
import { FigureBody, Opening } from "./figure-body";
import type { Explained, Line } from "./queries";
import { useWords, weekOf } from "./words";
import "./chain.css";

/** Who looks: a partner's clerk, or the driver on a phone. */
type Audience = "partner" | "driver";

const groups = ["start", "earnings", "cash", "deductions", "credits"] as const satisfies Line["group"][];

const icons: Partial<Record<Line["name"], LucideIcon>> = {
  previousPeriod: History,
  cashDeducted: Banknote,
  fee: Percent,
  payoutBase: Handshake,
  taxAfterOptimisation: Landmark,
  settlementCost: ReceiptText,
  additionalSettlementCost: Tickets,
  rateCost: ChartNoAxesColumnIncreasing,
  contractCost: FileText,
  fuelCost: Fuel,
  costs: Wrench,
  credits: HandCoins,
};

/** A line that not every app has for itself. */
type LineOfAll = Exclude<Line["name"], "revenue">;

interface ChainProps {
  settlement: Explained;
  audience: Audience;
  /** Only these lines, opened, and not what comes of all. */
  only?: (line: Line) => boolean;
}

/** The way from the start balance to the payout, every line of which opens down to its transactions. */
export function Chain({ settlement, audience, only }: ChainProps) {
  const { t, language } = useWords(settlement);
  const sign = currencySign(useConfig().currency, language).trim();
  return (
    <div className={`chain chain-${audience}`}>
      {audience === "partner" && (
        <p className="chain-heads" aria-hidden>
          <span>{t("amountIn", { currency: sign })}</span>
          <span className="chain-balance">{t("balanceIn", { currency: sign })}</span>
        </p>
      )}
      {groups.map((group) => {
        const own = settlement.lines.filter((line) => line.group === group && (only?.(line) ?? true));
        return (
          own.length > 0 && (
            <div key={group} className="chain-group">
              {audience === "partner" && group !== "start" && <h3>{t(`group_${group}`)}</h3>}
              <ul>
                {own.map((line) => (
                  <ChainLine
                    key={`${line.name} ${line.provider ?? ""}`}
                    settlement={settlement}
                    line={line}
                    audience={audience}
                    opened={only !== undefined}
                  />
                ))}
              </ul>
            </div>
          )
        );
      })}
      {!only && <Totals settlement={settlement} audience={audience} />}
    </div>
  );
}

function ChainLine(props: { settlement: Explained; line: Line; audience: Audience; opened: boolean }) {
  const { settlement, line, audience, opened } = props;
  const words = useWords(settlement);
  const { t, amount, providerName } = words;
  const [wanted, setWanted] = useState(opened);
  const asking = useContext(Asking);
  const printing = usePrinting();
  const id = useId();
  const Icon = icons[line.name];
  const explained = settlement.explanations.length > 0;
  const open = explained && (wanted || printing);
  const title = lineTitle(line, audience, words);
  const ask = asking && `${asking}?${new URLSearchParams({ figure: line.name, provider: line.provider ?? "" })}`;
  const row = (
    <>
      {explained && <ChevronRight aria-hidden size={16} strokeWidth={1.75} className="chevron" />}
      <span aria-hidden className="chain-tile">
        {line.provider ? providerName(line.provider).charAt(0) : Icon && <Icon size={14} strokeWidth={1.75} />}
      </span>
      <span className="chain-name">
        {title} <small>{noteWords(settlement, line, words)}</small>
      </span>
      <span className="chain-amount">{line.amount > 0 ? `+${amount(line.amount)}` : amount(line.amount)}</span>
      {audience === "partner" && (
        <span className="chain-balance">
          <span className="sr-only">{t("balance")} </span>
          {amount(line.balance)}
        </span>
      )}
    </>
  );
  return (
    <li className={open ? "chain-line chain-open" : "chain-line"}>
      {explained ? (
        <button
          type="button"
          className="chain-row"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setWanted(!wanted)}
        >
          {row}
        </button>
      ) : (
        <div className="chain-row">{row}</div>
      )}
      {explained && (
        <div id={id} className="chain-body" hidden={!open}>
          {open && (
            <AskingLine value={ask}>
              <LineBody settlement={settlement} line={line} linked={audience === "partner"} />
              {ask && (
                <Link className="chain-ask" to={ask} aria-label={`${t("ask")}: ${title}`}>
                  {t("ask")}
                </Link>
              )}
            </AskingLine>
          )}
        </div>
      )}
    </li>
  );
}

/** What a line is called. */
export function lineTitle(
  { name, provider }: { name: string; provider?: string | undefined },
  audience: Audience,
  { t, providerName }: Pick<ReturnType<typeof useWords>, "t" | "providerName">,
): string {
  if (provider) return providerName(provider);
  return audience === "driver" && name === "cashDeducted" ? t("yourCash") : t(`line_${name as LineOfAll}`);
}

function LineBody({ settlement, line, linked }: { settlement: Explained; line: Line; linked: boolean }) {
  const { figure, amount } = useWords(settlement);
  const [only] = line.terms;
  if (only && line.terms.length === 1)
    return <FigureBody settlement={settlement} figure={only.figure} provider={only.provider} linked={linked} />;
  // Each figure of the line stands there once, with its sign in the sum.
  return line.terms.map(
    (term) =>
      explanationOf(settlement, term.figure, term.provider) && (
        <Opening
          key={term.figure}
          title={figure(term.figure, term.provider)}
          end={term.amount > 0 ? `+${amount(term.amount)}` : amount(term.amount)}
        >
          <FigureBody settlement={settlement} figure={term.figure} provider={term.provider} linked={linked} />
        </Opening>
      ),
  );
}

// What a line says of itself before it is opened.
function noteWords(settlement: Explained, line: Line, { t, rule }: ReturnType<typeof useWords>): string {
  const { limit, periods, rows } = noteOf(settlement, line);
  if (limit) return rule(limit);
  if (periods.length > 0) return periods.map((period) => t("week", weekOf(period))).join(", ");
  return rows > 0 ? t("transactions", { count: rows }) : "";
}

/** What comes of it: the payout with its double rule, or the debt in words, and what goes on to the next period. */
function Totals({ settlement, audience }: { settlement: Explained; audience: Audience }) {
  const { t, amount, language } = useWords(settlement);
  const sign = currencySign(useConfig().currency, language);
  const { due = 0, payout = 0, nextPeriodTransfer = 0 } = settlement.figures;
  const debt = due < 0;
  const linked = audience === "partner";
  const explained = settlement.explanations.length > 0;
  return (
    <div className="chain-totals">
      <p className={debt ? "chain-total chain-debt" : "chain-total"}>
        <span>{debt ? t("debt") : t("toPay")}</span>
        <b className={debt ? "" : "double-rule"}>
          {amount(debt ? due : payout)}
          <span className="sr-only">{sign}</span>
        </b>
      </p>
      {debt && linked && (
        <p className="chain-note">{settlement.rules.autoNextPeriod ? t("debtNote") : t("debtWaits")}</p>
      )}
      {explained ? (
        <>
          {!debt && payout !== due && (
            <Opening title={t("figure_payout")} end={amount(payout)}>
              <FigureBody settlement={settlement} figure="payout" linked={linked} />
            </Opening>
          )}
          {(linked || nextPeriodTransfer !== 0) && (
            <Opening title={t("carried")} end={amount(nextPeriodTransfer)}>
              <FigureBody settlement={settlement} figure="nextPeriodTransfer" linked={linked} />
            </Opening>
          )}
        </>
      ) : (
        <p className="chain-carried">
          <span>{t("carried")}</span>
          <b>{amount(nextPeriodTransfer)}</b>
        </p>
      )}
    </div>
  );
}
