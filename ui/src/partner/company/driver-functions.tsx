import { Switch } from "antd";
import { useId } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { type DriverFunctions as Functions, useDriverFunctions, useSetDriverFunctions } from "./queries";
import { Section } from "../../components/section";

const SWITCHES = [
  { number: "1", title: "function1", help: "function1Help" },
  { number: "2", title: "function2", help: "function2Help" },
  { number: "3", title: "function3", help: "function3Help" },
  { number: "4", title: "function4", help: "function4Help" },
] as const;

/** What drivers see then: the same reading of the switches as their menu has. */
function sight(on: Functions) {
  const parts = [
    { key: "seesTrips", seen: on["1"] },
    { key: "seesTracker", seen: on["2"] },
    { key: "seesInvoices", seen: on["2"] || on["3"] },
    { key: "seesSettlements", seen: on["3"] || on["4"] },
  ] as const;
  const seen = parts.filter((part) => part.seen).map(({ key }) => key);
  const start = on["3"]
    ? ("startsSettlements" as const)
    : on["2"]
      ? ("startsInvoices" as const)
      : ("startsPartner" as const);
  return { seen, start };
}

/** Four switches, each in force as soon as it is turned. */
export function DriverFunctions({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation(["partner", "common", "faults"]);
  const functions = useDriverFunctions();
  const set = useSetDriverFunctions();
  const problem = set.error ?? (functions.data ? null : functions.error);
  const shown = set.isPending ? set.variables : functions.data;
  const view = shown && sight(shown);
  return (
    <Section title={t("functions")} lead={t("functionsLead")}>
      {problem && (
        <Notice
          tone="danger"
          action={!functions.data && <Button onClick={() => void functions.refetch()}>{t("common:retry")}</Button>}
        >
          {t(`faults:${problem.code}`, { replace: problem.params })} {t("functionsUndone")}
        </Notice>
      )}
      <ul className="profile-switches">
        {SWITCHES.map(({ number, title, help }) => (
          <Row
            key={number}
            number={number}
            title={t(title)}
            help={t(help)}
            on={shown?.[number] ?? false}
            disabled={!mayWrite || !shown || set.isPending}
            onTurn={(on) => shown && set.mutate({ ...shown, [number]: on })}
          />
        ))}
      </ul>
      {view && (
        <p className="profile-sight" role="status">
          {view.seen.length > 0 ? t("sees", { what: view.seen.map((key) => t(key)).join(", ") }) : t("seesNothing")}{" "}
          {t(view.start)}
        </p>
      )}
    </Section>
  );
}

interface RowProps {
  number: string;
  title: string;
  help: string;
  on: boolean;
  disabled: boolean;
  onTurn: (on: boolean) => void;
}

function Row({ number, title, help, on, disabled, onTurn }: RowProps) {
  const id = useId();
  return (
    <li>
      <span aria-hidden className="profile-number">
        {number}
      </span>
      <span className="profile-switch-text">
        <b id={id}>{title}</b>
        <span id={`${id}-help`}>{help}</span>
      </span>
      <Switch checked={on} disabled={disabled} onChange={onTurn} aria-labelledby={id} aria-describedby={`${id}-help`} />
    </li>
  );
}
