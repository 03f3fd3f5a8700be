import { ArrowRight } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { type Rules, type Simulated, useFoundDrivers, useSimulation } from "./queries";

interface SimulatorProps {
  /** Of the schema whose drivers are asked about; 0: it is not saved yet. */
  schemaNumber: number;
  /** What the form holds, checked; nothing where a field is wrong. */
  rules: () => Promise<Rules | undefined>;
  /** Shows in the form what the server refused. */
  onRefused: (problem: Problem) => void;
}

/** What these rules would have made of the last complete period. Nothing is saved. */
export function Simulator({ schemaNumber, rules, onRefused }: SimulatorProps) {
  const { t } = useTranslation(["schemas", "faults"]);
  const simulate = useSimulation();
  const [driver, setDriver] = useState("");
  const [refusal, setRefusal] = useState<Problem>();
  const ask = async () => {
    setRefusal(undefined);
    const asked = await rules();
    if (!asked) return;
    try {
      await simulate.mutateAsync({ ...asked, schemaNumber, ...(driver && { driverId: driver }) });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.fields.length > 0) onRefused(problem);
      else setRefusal(problem);
    }
  };
  return (
    <Section title={t("simulate")} lead={t("simulateLead")}>
      <div className="simulator">
        <Whom chosen={driver} all={schemaNumber > 0} onChoose={setDriver} />
        <Button disabled={schemaNumber === 0 && !driver} loading={simulate.isPending} onClick={() => void ask()}>
          {t("simulateNow")}
        </Button>
        {refusal && (
          <Notice tone="danger">
            {t(`faults:${refusal.code}`, { replace: refusal.params })} {t("notSaved")}
          </Notice>
        )}
        <div aria-live="polite">{simulate.data && <Outcome found={simulate.data} />}</div>
      </div>
    </Section>
  );
}

/** All drivers of the schema, or one who is looked for by name. */
function Whom(props: { chosen: string; all: boolean; onChoose: (driver: string) => void }) {
  const { t } = useTranslation("schemas");
  const mayRead = useSession().may("drivers.read");
  const [typed, setTyped] = useState("");
  const wanted = useDeferredValue(typed.trim());
  const found = useFoundDrivers(wanted, mayRead && wanted.length > 1).data ?? [];
  const id = useId();
  if (!mayRead) return null;
  return (
    <div className="simulator-whom">
      <label htmlFor={`${id}-name`}>{t("simulateFind")}</label>
      <input
        id={`${id}-name`}
        type="text"
        className="simulator-field"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          props.onChoose("");
        }}
      />
      <label htmlFor={id}>{t("simulateWhom")}</label>
      <select
        id={id}
        className="simulator-field"
        value={props.chosen}
        onChange={({ target }) => props.onChoose(target.value)}
      >
        <option value="">{t(props.all ? "simulateAll" : "simulateOne")}</option>
        {found.map((one) => (
          <option key={one.id} value={one.id}>
            {one.lastName} {one.firstName}
          </option>
        ))}
      </select>
    </div>
  );
}

function Outcome({ found }: { found: Simulated }) {
  const { t } = useTranslation("schemas");
  const language = useLanguage();
  const sign = currencySign(useConfig().currency, language);
  const amount = (minor: number) => money(BigInt(minor), language);
  const change = (minor: number) => (minor > 0 ? `+${amount(minor)}` : amount(minor));
  const period = { week: Number(found.period.slice(6)), year: found.period.slice(0, 4) };
  if (found.drivers === 0) return <p>{t("simulateNobody", period)}</p>;
  return (
    <>
      <p className="simulator-total">
        {t("simulateTotal", period)}{" "}
        <span>
          {amount(found.before)} <ArrowRight aria-label={t("simulateBecomes")} size={14} strokeWidth={2} />{" "}
          <b>
            {amount(found.after)}
            {sign}
          </b>{" "}
          ({change(found.after - found.before)})
        </span>
      </p>
      <p>
        {found.changed === 0
          ? t("simulateSame", { count: found.drivers })
          : t("simulateChanged", { count: found.changed, all: found.drivers })}
      </p>
      {found.items.length > 0 && (
        <table className="simulator-table">
          <caption className="sr-only">{t("simulateTable")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("simulateDriver")}</th>
              <th scope="col">{t("simulateBefore")}</th>
              <th scope="col">{t("simulateAfter")}</th>
              <th scope="col">{t("simulateDifference")}</th>
            </tr>
          </thead>
          <tbody>
            {found.items.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  {one.lastName} {one.firstName}
                </th>
                <td>{amount(one.before)}</td>
                <td>{amount(one.after)}</td>
                <td>
                  <b>{change(one.after - one.before)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
