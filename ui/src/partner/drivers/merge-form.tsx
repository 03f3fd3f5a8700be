import { Input } from "antd";
import { Merge as MergeIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { type FaultCode, Problem } from "../../api/problem";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { Refusal } from "../../components/refusal";
import { Section } from "../../components/section";
import { useUndoToast } from "../../components/undo-toast";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { mergeNames } from "./merge-names";
import { type Preview, type Side, useMerge, useUndoMerge, type Whose } from "./merge-queries";
import { useProviders } from "./queries";
import { useShown } from "./shown";

const REASON = 500;

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;

/** The choices stand in the address, so that a sign-in on the way costs none of them. */
function useChoices(preview: Preview) {
  const [params, setParams] = useSearchParams();
  const open = preview.fields.filter(({ choosable, same }) => choosable && !same);
  const chosen = (name: string): Whose => {
    const wanted = params.get(name);
    if (wanted === "kept" || wanted === "other") return wanted;
    return preview.fields.find((field) => field.name === name)?.stays ?? "kept";
  };
  const choose = (name: string, whose: Whose) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.set(name, whose);
        return after;
      },
      // At once, not as a transition: until it was done the pressed radio would jump back.
      { replace: true, preventScrollReset: true, flushSync: true },
    );
  return { chosen, choose, all: Object.fromEntries(open.map(({ name }) => [name, chosen(name)])) };
}

export function MergeForm({ preview }: { preview: Preview }) {
  const { t } = useTranslation(["merge", "drivers", "faults"]);
  const { kept, other } = preview;
  const navigate = useNavigate();
  const choices = useChoices(preview);
  const merge = useMerge(kept.id);
  const undo = useUndoMerge();
  const offerUndo = useUndoToast();
  const done = useDoneToast();
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const names = { kept: nameOf(kept), other: nameOf(other) };

  // From the message, when this page is gone: what was refused is said there, and the driver's page says why.
  const takeBack = async (id: string) => {
    try {
      await undo.mutateAsync(id);
      done(t("undone"));
    } catch (refused) {
      if (!(refused instanceof Problem)) throw refused;
      done(`${t(`faults:${refused.code}`, { replace: refused.params })} ${t("notUndone")}`);
    }
  };
  const submit = async () => {
    setProblem(undefined);
    try {
      const { id } = await merge.mutateAsync({
        with: other.id,
        version: kept.version,
        withVersion: other.version,
        choices: choices.all,
        reason: reason.trim(),
      });
      void navigate(`/drivers/${kept.id}`, { replace: true });
      offerUndo({ icon: MergeIcon, text: t("done", names), undo: () => void takeBack(id) });
    } catch (refused) {
      if (!(refused instanceof Problem)) throw refused;
      setProblem(refused);
    }
  };

  return (
    <div className="merge">
      {(preview.refusal || preview.warnings.length > 0) && (
        <div className="merge-warnings">
          {preview.refusal && (
            <Notice tone="danger">
              {t(`faults:${preview.refusal as FaultCode}`, { replace: { max: 50 } })} {t("notMerged")}
            </Notice>
          )}
          {preview.warnings.map((warning) => (
            <Notice key={warning} tone="warning">
              {t(`warn_${warning}`)}
            </Notice>
          ))}
        </div>
      )}
      <Fields preview={preview} chosen={choices.chosen} choose={choices.choose} />
      <Moves preview={preview}>
        <Input
          className="merge-reason"
          aria-label={t("reason")}
          placeholder={t("reason")}
          maxLength={REASON}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Moves>
      <div className="driver-bar">
        {problem && <Refusal problem={problem} undone={t("notMerged")} />}
        <div className="driver-bar-row">
          <p>
            {preview.freshLogin && `${t("freshNote")} `}
            {t("promise")}
          </p>
          <Button
            kind="primary"
            className="merge-confirm"
            disabled={preview.refusal !== ""}
            loading={merge.isPending}
            onClick={() => void submit()}
          >
            {t("confirm", names)}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Each field of the two: one value where they agree, a choice where they differ, the rule where there is none. */
function Fields(props: {
  preview: Preview;
  chosen: (name: string) => Whose;
  choose: (name: string, to: Whose) => void;
}) {
  const { t } = useTranslation(["merge", "drivers"]);
  const shown = useShown();
  const { kept, other, fields } = props.preview;
  const told = fields.filter(({ name, same, kept: mine }) => name in mergeNames && !(same && mine === ""));
  return (
    <section className="merge-fields" aria-label={t("fields")}>
      <div className="merge-row merge-heads">
        <p>{t("fieldsLead")}</p>
        <h2>
          <small>{t("kept")}</small>
          {nameOf(kept)}
        </h2>
        <h2>
          <small>{t("other")}</small>
          {nameOf(other)}
        </h2>
      </div>
      {told.map((field) => {
        const label = t(mergeNames[field.name] ?? "merge:fields");
        const values = { kept: shown(field.name, field.kept), other: shown(field.name, field.other) };
        if (field.same)
          return (
            <div key={field.name} className="merge-row">
              <span className="merge-label">{label}</span>
              <span className="merge-same">
                {values.kept} <small>{t("same")}</small>
              </span>
            </div>
          );
        if (!field.choosable)
          return (
            <div key={field.name} className="merge-row">
              <span className="merge-label">
                {label}
                <small>{t("ruled", { value: values[field.stays] })}</small>
              </span>
              <span>{values.kept}</span>
              <span>{values.other}</span>
            </div>
          );
        return (
          <fieldset key={field.name} className="merge-row">
            <legend className="merge-label">{label}</legend>
            {(["kept", "other"] as const).map((whose) => (
              <label key={whose} className="merge-choice">
                <input
                  type="radio"
                  name={field.name}
                  checked={props.chosen(field.name) === whose}
                  onChange={() => props.choose(field.name, whose)}
                />
                <span>
                  {values[whose]}
                  <small className="merge-side">{t(whose)}</small>
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </section>
  );
}

function Moves({ preview, children }: { preview: Preview; children: ReactNode }) {
  const { t } = useTranslation("merge");
  const providers = useProviders().data;
  const { kept, other } = preview;
  const ids = other.identities.map(
    ({ provider, value }) => `${providers?.find((one) => one.value === provider)?.label ?? provider} ${value}`,
  );
  return (
    <Section title={t("moves")} lead={t("movesLead")}>
      <ul className="merge-moves">
        <li>{t("transactions", { count: preview.transactions })}</li>
        {ids.length > 0 && <li>{t("movesIds", { list: ids.join(", ") })}</li>}
        {preview.tags.length > 0 && (
          <li>{t("movesTags", { list: preview.tags.map(({ name }) => name).join(", ") })}</li>
        )}
        <li>{t("movesHistory")}</li>
      </ul>
      <dl className="merge-totals" aria-label={t("totals")}>
        <Total label={nameOf(kept)} totals={kept.totals} />
        <Total label={nameOf(other)} totals={other.totals} sign="+" />
        <Total label={t("after")} totals={preview.after} sign="=" />
      </dl>
      {children}
    </Section>
  );
}

function Total({ label, totals, sign }: { label: string; totals: Side["totals"]; sign?: string }) {
  const { t } = useTranslation("merge");
  const language = useLanguage();
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {totals.unsettled.map(({ currency, sum }) => (
          <b key={currency}>
            {sign && <span className="merge-sign">{sign}</span>}
            {money(BigInt(sum), language)}
            <small>{currencySign(currency as "PLN" | "EUR", language)}</small>
          </b>
        ))}
        {totals.unsettled.length === 0 && (
          <b>
            {sign && <span className="merge-sign">{sign}</span>}
            {money(0n, language)}
          </b>
        )}
        <small>{t("transactions", { count: totals.unsettled.reduce((all, one) => all + one.count, 0) })}</small>
        <small>{t("settled", { count: totals.settled })}</small>
      </dd>
    </div>
  );
}
