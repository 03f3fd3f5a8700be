import { ChevronRight, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useContext, useId, useState } from "react";
import { Link } from "react-router";
import { weekday } from "../format/date";
import { MarkedRow } from "./asking";
import { explanationOf } from "./figures";
import { Formula } from "./formula";
import type { Explained, Explanation, Part } from "./queries";
import { Rows } from "./rows";
import { useWords } from "./words";

interface BodyProps {
  settlement: Explained;
  figure: string;
  provider?: string | undefined;
  linked: boolean;
}

/** How a figure came about: the formula with its numbers, the rules, the rows, and the figures it is made of. */
export function FigureBody({ settlement, figure, provider, linked }: BodyProps) {
  const { t, language, partName, ...words } = useWords(settlement);
  const found = explanationOf(settlement, figure, provider);
  if (!found) return null;
  const of = toldBy(settlement, found);
  // Parts that open further below are not listed before it, nor is one that is called as the figure is.
  const opened = of.parts.length > 1 && of.parts.every((part) => isPlain(part) && innerOf(settlement, part));
  const [only] = of.parts;
  const named =
    of.parts.length === 1 && only && isPlain(only) && partName(only) === words.figure(of.figure, of.provider);
  const listed = of.cap !== undefined || (of.charged ?? 0) !== 0 || !(opened || named);
  return (
    <>
      {(of.formula !== "sum" || of.parts.length > 1) && of.formula !== "nothing" && (
        <p className="figure-formula">{t(`formula_${of.formula}`)}</p>
      )}
      {of.formula === "days" ? (
        <ul className="figure-days">
          {(of.days ?? []).map((day) => (
            <li key={day}>{weekday(day, language)}</li>
          ))}
        </ul>
      ) : (
        listed && <Formula settlement={settlement} of={of} />
      )}
      {of.reason && <p className="figure-reason">{t(`reason_${of.reason as "no_revenue"}`)}</p>}
      <RulesLine settlement={settlement} of={of} linked={linked} />
      {of.parts.map((part, at) => (
        <Rows key={`${at} ${part.kind}`} settlement={settlement} part={part} linked={linked} />
      ))}
      <Inner settlement={settlement} of={of} listed={listed} linked={linked} />
    </>
  );
}

/** Whether a part goes into its figure as it is. */
const isPlain = ({ times, of, rounded }: Part) => Math.abs(times) === 1 && of === 1 && !rounded;

/** The figure that says how another came about: one that is only another by a new name has nothing to say of itself. */
function toldBy(settlement: Explained, of: Explanation): Explanation {
  const [part] = of.parts;
  if (of.parts.length !== 1 || !part || !isPlain(part) || of.cap || of.charged || of.reason) return of;
  const inner = innerOf(settlement, part);
  return inner && Math.abs(inner.value) === Math.abs(of.value) ? toldBy(settlement, inner) : of;
}

/** Which fields of which version of the schema the numbers are from. */
function RulesLine({ settlement, of, linked }: { settlement: Explained; of: Explanation; linked: boolean }) {
  const { t, rule } = useWords(settlement);
  const fields = [...new Set([...of.parts.flatMap(({ rules }) => rules ?? []), of.cap?.rule ?? ""])].filter(Boolean);
  if (fields.length === 0) return null;
  const ours = fields.some((field) => !/^(partner|instance)\./.test(field));
  const version = t("ruleVersion", { name: settlement.schemaName, version: of.schema.version });
  return (
    <p className="figure-rules">
      <SlidersHorizontal aria-hidden size={14} strokeWidth={1.75} />
      <span>
        {t("rule")}{" "}
        {ours && (
          <>
            {linked ? <Link to={`/schemas?schema=${of.schema.number}`}>{version}</Link> : version}
            {": "}
          </>
        )}
        {fields.map((field) => rule(field)).join("; ")}
      </span>
    </p>
  );
}

interface InnerProps {
  settlement: Explained;
  of: Explanation;
  /** Whether the amounts stand in the formula above. */
  listed: boolean;
  linked: boolean;
}

/** The figures that a figure is made of, each to be opened further. */
function Inner({ settlement, of, listed, linked }: InnerProps) {
  const { figure, amount, t } = useWords(settlement);
  const named = of.parts.flatMap((part) => {
    const found = innerOf(settlement, part);
    return found ? [{ ...found, minus: isPlain(part) && part.times < 0 }] : [];
  });
  const inner = [...new Map(named.map((one) => [`${one.figure} ${one.provider ?? ""}`, one])).values()];
  const endOf = ({ figure: name, value, minus }: (typeof inner)[number]) => {
    if (name === "workingDays") return t("days", { count: value });
    return listed ? "" : amount(minus ? -value : value);
  };
  return inner.map((one) => (
    <Opening key={`${one.figure} ${one.provider ?? ""}`} title={figure(one.figure, one.provider)} end={endOf(one)}>
      <FigureBody settlement={settlement} figure={one.figure} provider={one.provider} linked={linked} />
    </Opening>
  ));
}

// A daily fee is a rule times days, and the days have an explanation too.
function innerOf(settlement: Explained, part: Part): Explanation | undefined {
  const daily = /^dailyFee\.(\w+)$/.exec(part.rules?.[0] ?? "");
  const found = daily
    ? explanationOf(settlement, "workingDays", daily[1])
    : part.figure && part.kind !== "invoice"
      ? explanationOf(settlement, part.figure, part.provider)
      : undefined;
  return found && (found.parts.length > 0 || found.reason) ? found : undefined;
}

/** A line inside an opened line. */
export function Opening({ title, end, children }: { title: string; end: string; children: ReactNode }) {
  const [open, setOpen] = useState(useContext(MarkedRow) !== "");
  const id = useId();
  return (
    <div className="opening">
      <button
        type="button"
        className="opening-row"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight aria-hidden size={14} strokeWidth={2} className="chevron" />
        <span>{title}</span>
        {end && <b>{end}</b>}
      </button>
      <div id={id} className="opening-body" hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}
