import { CircleCheck, CircleSlash, Mail } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { Refusal } from "../../components/refusal";
import { Section } from "../../components/section";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Question } from "./people-questions";
import { type Person, usePeople, usePersonStep } from "./queries";

const TAGS = {
  invited: { tone: "warning", icon: Mail },
  active: { tone: "success", icon: CircleCheck },
  blocked: { tone: "neutral", icon: CircleSlash },
} as const;

interface PeopleProps {
  mayWrite: boolean;
  /** Opens a dialog, which must not stand inside the form of the profile. */
  onAsk: (question: Question) => void;
}

/** Who of the office can sign in, who is invited and who has lost their access. */
export function People({ mayWrite, onAsk }: PeopleProps) {
  const { t } = useTranslation(["people", "common", "faults"]);
  const people = usePeople();
  const step = usePersonStep();
  const done = useDoneToast();
  const problem = step.error ?? (people.data ? null : people.error);
  const act = (person: Person, to: "resend" | "unblock") =>
    step.mutate(
      { id: person.id, step: to },
      { onSuccess: () => done(t(to === "resend" ? "resent" : "unblocked", { name: person.name })) },
    );
  return (
    <Section title={t("title")} lead={t("lead")}>
      {problem && (
        <Refusal
          problem={problem}
          undone={people.data ? t("unchanged") : t("loadFailed")}
          action={!people.data && <Button onClick={() => void people.refetch()}>{t("common:retry")}</Button>}
        />
      )}
      {people.data?.people.length === 1 && <p className="profile-note">{t("alone")}</p>}
      {!people.data && !people.isError && <span className="bar" role="status" aria-label={t("common:loading")} />}
      <ul className="people" aria-label={t("title")}>
        {people.data?.people.map((person) => (
          <Row
            key={person.id}
            person={person}
            mayWrite={mayWrite}
            busy={step.isPending && step.variables.id === person.id}
            onAct={(to) => act(person, to)}
            onAsk={onAsk}
          />
        ))}
      </ul>
      {mayWrite && (
        <div className="people-invite">
          <Button onClick={() => onAsk({ kind: "invite" })}>{t("invite")}</Button>
        </div>
      )}
    </Section>
  );
}

interface RowProps {
  person: Person;
  mayWrite: boolean;
  busy: boolean;
  onAct: (step: "resend" | "unblock") => void;
  onAsk: (question: Question) => void;
}

function Row({ person, mayWrite, busy, onAct, onAsk }: RowProps) {
  const { t } = useTranslation("people");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const tag = TAGS[person.state];
  const action = (key: "resend" | "withdraw" | "block" | "unblock", onClick: () => void) => (
    <Button
      size="small"
      disabled={busy}
      aria-label={t("actionsOf", { action: t(key), name: person.name })}
      onClick={onClick}
    >
      {t(key)}
    </Button>
  );
  return (
    <li>
      <div className="people-who">
        <b>
          {person.name}
          {person.you && <span> ({t("you")})</span>}
        </b>
        <span>{person.email}</span>
      </div>
      <div className="people-state">
        <StatusTag tone={tag.tone} icon={tag.icon} word={t(`state_${person.state}`)} />
        <time dateTime={person.since}>
          {t(`since_${person.state}`, { when: day(person.since, language, timeZone) })}
        </time>
      </div>
      {person.problem !== "" && (
        <div className="people-problem">
          <Notice tone="warning">{t(`problem_${person.problem}`)}</Notice>
        </div>
      )}
      {mayWrite && !person.you && (
        <div className="people-actions">
          {person.state === "invited" && person.problem !== "taken" && action("resend", () => onAct("resend"))}
          {person.state === "invited" && action("withdraw", () => onAsk({ kind: "withdraw", person }))}
          {person.state === "active" && action("block", () => onAsk({ kind: "block", person }))}
          {person.state === "blocked" && action("unblock", () => onAct("unblock"))}
        </div>
      )}
    </li>
  );
}
