import { ShieldCheck, ShieldOff } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { Refusal } from "../../components/refusal";
import { Section } from "../../components/section";
import { StatusTag } from "../../components/status-tag";
import { moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Question } from "./people-questions";
import { type Decision, type TwoPerson as State, useDecide, useTurnOn, useTwoPerson } from "./queries";

interface TwoPersonProps {
  mayWrite: boolean;
  onAsk: (question: Question) => void;
}

/** Whether a second person releases batches. One person turns it on; turning it off takes two. */
export function TwoPerson({ mayWrite, onAsk }: TwoPersonProps) {
  const { t } = useTranslation(["people", "common", "faults"]);
  const state = useTwoPerson();
  const turnOn = useTurnOn();
  const done = useDoneToast();
  const problem = turnOn.error ?? (state.data ? null : state.error);
  return (
    <Section title={t("twoTitle")} lead={t("twoLead")}>
      {problem && (
        <Refusal
          problem={problem}
          undone={turnOn.error ? t("unchanged") : undefined}
          action={!state.data && <Button onClick={() => void state.refetch()}>{t("common:retry")}</Button>}
        />
      )}
      {!state.data && !state.isError && <span className="bar" role="status" aria-label={t("common:loading")} />}
      {state.data && (
        <div className="two-person">
          <StatusTag
            tone={state.data.on ? "success" : "neutral"}
            icon={state.data.on ? ShieldCheck : ShieldOff}
            word={t(state.data.on ? "twoOn" : "twoOff")}
          />
          <p>{t(state.data.on ? "twoOnBody" : "twoOffBody")}</p>
          {state.data.request && <Request request={state.data.request} mayWrite={mayWrite} />}
          {mayWrite && !state.data.on && state.data.active < 2 && (
            <Notice tone="info" action={<Button onClick={() => onAsk({ kind: "invite" })}>{t("invite")}</Button>}>
              {t("needsTwo")}
            </Notice>
          )}
          {mayWrite && !state.data.on && state.data.active >= 2 && (
            <Button
              loading={turnOn.isPending}
              onClick={() => turnOn.mutate(undefined, { onSuccess: () => done(t("turnedOn")) })}
            >
              {t("turnOn")}
            </Button>
          )}
          {mayWrite && state.data.on && !state.data.request && (
            <Button onClick={() => onAsk({ kind: "askOff" })}>{t("askOff")}</Button>
          )}
        </div>
      )}
    </Section>
  );
}

const SAID = { confirm: "confirmed", reject: "rejected", withdraw: "requestWithdrawn" } as const;

function Request({ request, mayWrite }: { request: NonNullable<State["request"]>; mayWrite: boolean }) {
  const { t } = useTranslation(["people", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const decide = useDecide();
  const done = useDoneToast();
  const when = moment(request.requestedAt, language, timeZone);
  const act = (decision: Decision) =>
    decide.mutate({ id: request.id, decision }, { onSuccess: () => done(t(SAID[decision])) });
  return (
    <div className="two-person-request">
      <Notice tone="warning">
        {request.you ? t("requestMine", { when }) : t("requestTheirs", { when, name: request.requestedBy })}
      </Notice>
      {decide.error && <Refusal problem={decide.error} undone={t("unchanged")} />}
      {mayWrite && (
        <div className="people-actions">
          {request.you ? (
            <Button disabled={decide.isPending} onClick={() => act("withdraw")}>
              {t("withdrawRequest")}
            </Button>
          ) : (
            <>
              <Button danger disabled={decide.isPending} onClick={() => act("confirm")}>
                {t("confirm")}
              </Button>
              <Button disabled={decide.isPending} onClick={() => act("reject")}>
                {t("reject")}
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}
