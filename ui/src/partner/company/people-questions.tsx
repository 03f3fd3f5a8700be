import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field } from "../../components/field";
import { FreshFirst } from "../../components/fresh-first";
import { Refusal } from "../../components/refusal";
import { useLanguage } from "../../i18n";
import { languageNames } from "../../i18n/languages";
import { type Invitation, type Person, type Service, useAskOff, useInvite, usePersonStep } from "./queries";

export type Question =
  | { kind: "invite" }
  | { kind: "withdraw"; person: Person }
  | { kind: "block"; person: Person }
  | { kind: "askOff" }
  | { kind: "sms" }
  | { kind: "smsOff" }
  | { kind: "connect" | "disconnect" | "deliverSince"; service: Service };

const SMSDialog = lazy(() => import("./sms-dialog"));
const SMSOff = lazy(async () => ({ default: (await import("./sms-dialog")).SMSOff }));

const CONNECTIONS = {
  connect: lazy(() => import("./connection-dialog")),
  disconnect: lazy(async () => ({ default: (await import("./connection-dialog")).Disconnect })),
  deliverSince: lazy(async () => ({ default: (await import("./connection-dialog")).DeliverSince })),
};

/** The dialogs about people, SMS and connections. They stand beside the form of the profile, since forms do not nest. */
export function PeopleQuestions({ question, onClose }: { question: Question; onClose: () => void }) {
  if (question.kind === "invite") return <Invite onClose={onClose} />;
  if (question.kind === "askOff") return <AskOff onClose={onClose} />;
  if (question.kind === "sms" || question.kind === "smsOff") {
    const Asked = question.kind === "sms" ? SMSDialog : SMSOff;
    return (
      <Suspense>
        <Asked onClose={onClose} />
      </Suspense>
    );
  }
  if ("service" in question) {
    const Asked = CONNECTIONS[question.kind];
    return (
      <Suspense>
        <Asked service={question.service} onClose={onClose} />
      </Suspense>
    );
  }
  return <Step kind={question.kind} person={question.person} onClose={onClose} />;
}

const NAMES = ["firstName", "lastName"] as const;

function Invite({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["people", "common", "faults", "fields"]);
  const language = useLanguage();
  const invite = useInvite();
  const done = useDoneToast();
  const [values, setValues] = useState<Required<Invitation>>({ firstName: "", lastName: "", email: "", language });
  const set = (name: keyof Invitation) => (value: string) => setValues((before) => ({ ...before, [name]: value }));
  const wrong = (name: string) => {
    const field = invite.error?.fields.find((one) => one.name === name);
    return field && t(`fields:${field.code}`, { replace: field.params ?? {} });
  };
  const submit = async () => {
    try {
      await invite.mutateAsync(values);
      done(t("invited", { email: values.email.trim() }));
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
    }
  };
  return (
    <Dialog title={t("inviteTitle")} onClose={onClose}>
      <FreshFirst back="/profile?ask=invite">
        <form
          className="people-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <p>{t("inviteNote")}</p>
          {invite.error && <Refusal problem={invite.error} undone={t("inviteUndone")} back="/profile?ask=invite" />}
          {NAMES.map((name) => (
            <Field key={name} label={t(name)} error={wrong(name)}>
              {(control) => (
                <input
                  {...control}
                  maxLength={100}
                  autoComplete="off"
                  value={values[name]}
                  onChange={({ target }) => set(name)(target.value)}
                />
              )}
            </Field>
          ))}
          <Field label={t("email")} error={wrong("email")}>
            {(control) => (
              <input
                {...control}
                type="email"
                autoComplete="off"
                maxLength={254}
                value={values.email}
                onChange={({ target }) => set("email")(target.value)}
              />
            )}
          </Field>
          <Field label={t("language")}>
            {(control) => (
              <select {...control} value={values.language} onChange={({ target }) => set("language")(target.value)}>
                {Object.entries(languageNames).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Foot submit={t("inviteNow")} busy={invite.isPending} onClose={onClose} />
        </form>
      </FreshFirst>
    </Dialog>
  );
}

function Foot(props: { submit: string; busy: boolean; danger?: boolean; onClose: () => void }) {
  const { t } = useTranslation("common");
  return (
    <div className="people-foot">
      <Button onClick={props.onClose} disabled={props.busy}>
        {t("cancel")}
      </Button>
      <Button kind="primary" type="submit" danger={props.danger ?? false} loading={props.busy}>
        {props.submit}
      </Button>
    </div>
  );
}

interface AskProps {
  title: string;
  body: string;
  submit: string;
  danger?: boolean;
  /** Where it is open again after another sign-in. */
  back?: string;
  problem: Problem | null;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
}

function Ask(props: AskProps) {
  const { t } = useTranslation(["people", "faults"]);
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        className="people-form"
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        <p>{props.body}</p>
        {props.problem && (
          <Refusal problem={props.problem} undone={t("unchanged")} {...(props.back && { back: props.back })} />
        )}
        <Foot submit={props.submit} busy={props.busy} danger={props.danger ?? false} onClose={props.onClose} />
      </form>
    </Dialog>
  );
}

function Step({ kind, person, onClose }: { kind: "withdraw" | "block"; person: Person; onClose: () => void }) {
  const { t } = useTranslation("people");
  const step = usePersonStep();
  const done = useDoneToast();
  const { name } = person;
  return (
    <Ask
      title={kind === "block" ? t("blockTitle", { name }) : t("withdrawTitle", { name })}
      body={t(`body_${kind}`)}
      submit={t(`now_${kind}`)}
      danger
      problem={step.error}
      busy={step.isPending}
      onSubmit={() =>
        step.mutate(
          { id: person.id, step: kind },
          {
            onSuccess: () => {
              done(t(kind === "block" ? "blocked" : "withdrawn", { name }));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}

function AskOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("people");
  const ask = useAskOff();
  const done = useDoneToast();
  return (
    <Ask
      title={t("askTitle")}
      body={t("askBody")}
      submit={t("askNow")}
      back="/profile?ask=askOff"
      problem={ask.error}
      busy={ask.isPending}
      onSubmit={() =>
        ask.mutate(undefined, {
          onSuccess: () => {
            done(t("asked"));
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
