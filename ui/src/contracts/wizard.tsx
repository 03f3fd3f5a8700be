import { Check, ChevronLeft, CircleCheck, CloudCheck, LoaderCircle, Smartphone } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/translation";
import { Link } from "react-router";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { useDoneToast } from "../components/done-toast";
import { ErrorState } from "../components/error-state";
import { Notice } from "../components/notice";
import { today } from "../format/date";
import { useLanguage } from "../i18n";
import { useConfig } from "../session/config";
import { useSession } from "../session/session";
import { type Contract, type Filled, lastFor } from "./calls";
import { differing, stepOf } from "./data";
import { DocumentList } from "./document-list";
import { type Keeping, useDraft } from "./draft";
import { FormContext } from "./form";
import { PersonalStep } from "./step-personal";
import { SignStep } from "./step-sign";
import { StatementsStep } from "./step-statements";
import { TermsStep } from "./step-terms";
import styles from "./contracts.module.css";

const STEPS = [1, 2, 3, 4] as const;

interface WizardProps {
  /** Whom a partner fills in for; empty: the driver does it. */
  driver: string;
  /** The name of who signs. */
  name: string;
  title: string;
  /** Where it leads back to. */
  back: string;
  /** What stands before the last step, where a partner fills in. */
  before?: (go: () => void) => ReactNode;
}

/** Four steps to a signed contract. Whatever was typed is kept. */
export function Wizard({ driver, name, title, back, before }: WizardProps) {
  const { t } = useTranslation(["contractWizard", "common", "fields"]);
  const { timeZone } = useConfig();
  const { user } = useSession();
  const language = useLanguage();
  const form = useDraft(user.id, driver, language, today(timeZone));
  const [tried, setTried] = useState<ReadonlySet<number>>(new Set());
  const [handed, setHanded] = useState(false);
  const [signed, setSigned] = useState<Contract>();
  const top = useRef<HTMLHeadingElement>(null);
  const step = form.draft?.step;
  const first = useRef(true);
  useEffect(() => {
    if (step === undefined) return;
    // A new step begins at its top; the first is where the person is anyway.
    if (!first.current) top.current?.focus();
    first.current = false;
  }, [step]);
  const wrong = useWrong(form.filled, tried);
  const content = useRef<HTMLFormElement>(null);

  if (signed) return <Result contract={signed} title={title} back={back} driver={driver} />;
  if (form.problem)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={form.problem}
        onRetry={form.retry}
      />
    );
  if (!form.draft || step === undefined) return <div className={styles.page} aria-busy="true" />;
  const { draft } = form;
  const go = async (to: number) => {
    const answered = await form.save(to);
    if (!answered) return;
    // Without a line the step is left all the same: what is missing is said before signing.
    const lacking = answered === "cut" ? [] : answered.missing.filter((one) => stepOf(one.name) === step);
    if (to > step && lacking.length > 0) {
      flushSync(() => setTried((all) => new Set(all).add(step)));
      content.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
    } else {
      form.open(to);
      window.scrollTo(0, 0);
    }
  };
  const waits = step === 4 && before && !handed;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link className={styles.back} aria-label={t("close")} to={back}>
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{title}</h1>
        <Kept of={form.keeping} />
      </header>
      <Steps step={step} />
      <h2 ref={top} tabIndex={-1} className={styles.stepTitle}>
        {t(`step_${step as 1}`)}
      </h2>
      {form.offline && <Notice tone="warning">{t("offline")}</Notice>}
      {step === 1 && <Origin driver={driver} source={draft.source} onTake={form.takeOver} />}
      <FormContext
        value={{
          data: draft.data,
          change: form.change,
          wrong,
          marked: draft.marked,
          source: draft.source,
          forDriver: driver !== "",
        }}
      >
        <form
          ref={content}
          noValidate
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (step < 4 && form.keeping !== "saving") void go(step + 1);
          }}
        >
          {step === 1 && <PersonalStep />}
          {step === 2 && <TermsStep />}
          {step === 3 && <StatementsStep />}
          {waits && before(() => setHanded(true))}
          {step === 4 && !waits && !form.filled && <Notice tone="warning">{t("needsLine")}</Notice>}
          {step === 4 && !waits && form.filled && (
            <SignStep
              owner={user.id}
              driver={driver}
              data={draft.data}
              version={draft.version}
              filled={form.filled}
              name={name}
              onStep={(to) => {
                setTried((all) => new Set(all).add(to));
                form.open(to);
              }}
              onSigned={(contract) => {
                setSigned(contract);
                void form.forget();
              }}
            />
          )}
          {wrong.size > 0 && step < 4 && (
            <Notice tone="danger">
              {t("toCorrect", { number: [...wrong.keys()].filter((name) => stepOf(name) === step).length })}
            </Notice>
          )}
          <div className={styles.foot}>
            {step > 1 && (
              <Button size="large" onClick={() => void go(step - 1)}>
                {t("previous")}
              </Button>
            )}
            {step < 4 && (
              <Button kind="primary" type="submit" size="large" loading={form.keeping === "saving"}>
                {t("next")}
              </Button>
            )}
          </div>
        </form>
      </FormContext>
      {form.conflict && (
        <Conflict
          fields={differing(form.conflict.mine.data, form.conflict.other.data)}
          onMine={() => form.settle(true)}
          onOther={() => form.settle(false)}
        />
      )}
    </div>
  );
}

/** What is wrong on the steps that somebody tried to leave, in words, by path. */
function useWrong(filled: Filled | undefined, tried: ReadonlySet<number>) {
  const { t, i18n } = useTranslation(["contractWizard", "fields"]);
  const found = filled?.missing.filter(({ name }) => tried.has(stepOf(name))) ?? [];
  return new Map(
    found.map(({ name, code }) => {
      // The list says which rule a field breaks, not its limits.
      const known = i18n.exists(`fields:${code}`) && !code.startsWith("too_") ? code : "invalid";
      return [name, t(`fields:${known as "invalid"}`)];
    }),
  );
}

function Kept({ of }: { of: Keeping }) {
  const { t } = useTranslation("contractWizard");
  const Icon = { saved: CloudCheck, saving: LoaderCircle, here: Smartphone }[of];
  return (
    <span className={styles.kept} role="status">
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      {t(of === "here" ? "savedHere" : of)}
    </span>
  );
}

function Steps({ step }: { step: number }) {
  const { t } = useTranslation("contractWizard");
  return (
    <ol className={styles.steps} aria-label={t("progress", { step })}>
      {STEPS.map((one) => (
        <li key={one} data-done={one < step || undefined} aria-current={one === step ? "step" : undefined}>
          <span aria-hidden className={styles.stepMark}>
            {one < step ? <Check size={14} strokeWidth={2.5} /> : one}
          </span>
          <span className={styles.stepName}>{t(`step_${one}`)}</span>
        </li>
      ))}
    </ol>
  );
}

interface OriginProps {
  driver: string;
  source: Filled["source"];
  onTake: (last: Filled) => void;
}

/** Where the first values are from, and the way to those of the last contract. */
function Origin({ driver, source, onTake }: OriginProps) {
  const { t } = useTranslation("contractWizard");
  const language = useLanguage();
  const done = useDoneToast();
  const [last, setLast] = useState<Filled>();
  useEffect(() => {
    if (source === "contract") return;
    let here = true;
    lastFor(driver, language).then(
      (found) => here && setLast(found),
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [driver, language, source]);
  if (source === "contract") return <Notice tone="info">{t("beginContract")}</Notice>;
  return (
    <>
      {source === "partner" && <Notice tone="info">{t("beginPartner")}</Notice>}
      {last && (
        <Button
          block
          onClick={() => {
            onTake(last);
            done(t("takenOver"));
          }}
        >
          {t("takeOver")}
        </Button>
      )}
    </>
  );
}

/** Two devices filled in at the same time: the person chooses, and nothing was overwritten. */
function Conflict(props: { fields: string[]; onMine: () => void; onOther: () => void }) {
  const { t, i18n } = useTranslation("contractWizard");
  const names = props.fields.map((path) => {
    const name = path.split(".").at(-1) ?? path;
    return i18n.exists(`contractWizard:${name}`) ? i18n.t(`contractWizard:${name}` as "contractWizard:city") : name;
  });
  const shown = [...new Set(names)];
  return (
    <Dialog title={t("conflictTitle")} onClose={props.onMine}>
      <div className={styles.ask}>
        <p>{t("conflictBody")}</p>
        <p>{t("conflictFields", { fields: shown.slice(0, 6).join(", ") + (shown.length > 6 ? "…" : "") })}</p>
        <Button block onClick={props.onMine}>
          {t("keepHere")}
        </Button>
        <Button block onClick={props.onOther}>
          {t("takeOther")}
        </Button>
      </div>
    </Dialog>
  );
}

function Result(props: { contract: Contract; title: string; back: string; driver: string }) {
  const { t } = useTranslation("contractWizard");
  const { contract } = props;
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => top.current?.focus(), []);
  const printed = contract.state === "printed";
  const next = printed ? "resultHand" : contract.state === "active" ? "resultActive" : "resultNext";
  return (
    <div className={styles.page}>
      <h1 className="sr-only">{props.title}</h1>
      <div className={styles.result}>
        <CircleCheck aria-hidden size={40} strokeWidth={1.5} />
        <h2 ref={top} tabIndex={-1}>
          {t(contract.signedAt ? "resultTitle" : "resultPrint")}
        </h2>
        <p>{t(next)}</p>
      </div>
      <DocumentList contract={contract} mayScan={false} />
      <Link className={styles.primary} to={props.back}>
        {t(props.driver ? "toDriver" : "toContracts")}
      </Link>
    </div>
  );
}
