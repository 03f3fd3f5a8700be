import { BookOpenCheck, ChevronRight, CircleDashed, PenLine, Printer } from "lucide-react";
import { useContext, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { useLocation } from "react-router";
import { Problem } from "../api/problem";
import { Button } from "../components/button";
import { ErrorState } from "../components/error-state";
import { Field, Tick } from "../components/field";
import { Notice } from "../components/notice";
import { SignInAgain } from "../components/sign-in-again";
import { StatusTag } from "../components/status-tag";
import { daySpan } from "../format/date";
import { useLanguage } from "../i18n";
import { type Answers, type Contract, type Filled, type Shown, useContracts, usePages, useSign } from "./calls";
import { stepOf } from "./data";
import { Group } from "./form";
import { Reading } from "./reading";
import { SignaturePad } from "./signature-pad";
import { forgetSigning, useSigningState } from "./signing-state";
import { isSignature, pictureOf } from "./strokes";
import styles from "./contracts.module.css";

interface SignStepProps {
  /** Whose wizard on this device it is. */
  owner: string;
  driver: string;
  data: Answers;
  version: number;
  filled: Filled;
  /** The name of who signs, as the account has it. */
  name: string;
  onStep: (step: number) => void;
  onSigned: (contract: Contract) => void;
}

/** The last step: what is missing, or the documents to read and sign. */
export function SignStep(props: SignStepProps) {
  const { t } = useTranslation(["contractWizard", "common"]);
  const { data, filled, onStep } = props;
  const language = useLanguage();
  const complete = filled.missing.length === 0;
  const pages = usePages(data, language, complete);
  if (!complete) {
    const steps = [...new Set(filled.missing.map(({ name }) => stepOf(name)))].sort();
    return steps.map((step) => (
      <Notice key={step} tone="warning" action={<Button onClick={() => onStep(step)}>{t("complete")}</Button>}>
        {t("missingIn", { step: t(`step_${step as 1}`) })}
      </Notice>
    ));
  }
  if (pages.isError)
    return pages.error.status === 0 ? (
      <Notice tone="warning" action={<Button onClick={() => void pages.refetch()}>{t("common:retry")}</Button>}>
        {t("needsLine")}
      </Notice>
    ) : (
      <ErrorState
        title={t("loadFailed")}
        undone={t("notSigned")}
        problem={pages.error}
        onRetry={() => void pages.refetch()}
      />
    );
  if (!pages.data) return <div className={styles.group} aria-busy="true" />;
  return <Signing {...props} shown={pages.data.documents} onShowAgain={() => void pages.refetch()} />;
}

function Signing(props: SignStepProps & { shown: Shown[]; onShowAgain: () => void }) {
  const { t } = useTranslation(["contractWizard", "common", "faults"]);
  const { owner, driver, data, version, filled, name, shown, onSigned, onShowAgain } = props;
  const language = useLanguage();
  const sums = Object.fromEntries(shown.map(({ order, sum }) => [String(order), sum]));
  const { state, change } = useSigningState(`${owner} ${driver}`, sums);
  const [reading, setReading] = useState<number>();
  const [asked, setAsked] = useState(false);
  const sign = useSign();
  const contracts = useContracts(driver);
  const running = contracts.data?.contracts.find((one) => one.state === "active");
  const { documents, declarations, consent } = filled;
  const onScreen = documents.some(({ form }) => form === "simple");
  const isRead = (order: number) => state.shown.some((one) => one.order === order);
  const boxes = [...declarations, consent];
  const lacks = {
    read: !documents.every(({ order }) => isRead(order)),
    declared: !boxes.every(({ id }) => state.ticked.includes(id)),
    signature: onScreen && !(state.typing ? state.typed.trim().length >= 3 : isSignature(state.strokes)),
  };
  const lacking = (["read", "declared", "signature"] as const).filter((one) => lacks[one]);
  const submit = async () => {
    setAsked(true);
    if (lacking.length > 0) return;
    const picture = onScreen && !state.typing ? await pictureOf(state.strokes) : undefined;
    const made = await sign
      .mutateAsync({
        driver,
        data,
        version,
        language,
        sums,
        shown: state.shown,
        declarations: declarations.map(({ id, sum }) => ({ id, textSum: sum })),
        consentSum: consent.sum,
        picture,
        typedName: onScreen && state.typing ? state.typed.trim() : "",
        replaces: state.replaces ? (running?.contractId ?? "") : "",
        key: state.key,
      })
      .catch((reason: unknown) => {
        if (!(reason instanceof Problem)) throw reason;
        if (reason.code === "contracts.document_changed" || reason.code === "contracts.not_read") onShowAgain();
        return undefined;
      });
    if (!made) return;
    forgetSigning();
    onSigned(made);
  };
  const opened = documents.find(({ order }) => order === reading);
  const openedShown = shown.find(({ order }) => order === reading);
  const next = documents.find(({ order }) => order !== reading && !isRead(order));
  const tick = (id: string, checked: boolean) =>
    change({ ticked: checked ? [...state.ticked, id] : state.ticked.filter((one) => one !== id) });
  return (
    <>
      <Group title={t("docsTitle")}>
        <p>{t("docsLead")}</p>
        <ul className={styles.documents}>
          {documents.map(({ order, name: title, form }) => (
            <li key={order}>
              <button type="button" className={styles.document} onClick={() => setReading(order)}>
                <span>
                  <b>{title}</b>
                  <span className={styles.tags}>
                    {isRead(order) ? (
                      <StatusTag tone="success" icon={BookOpenCheck} word={t("state_read")} />
                    ) : (
                      <StatusTag tone="outline" icon={CircleDashed} word={t("state_unread")} />
                    )}
                    {form === "written" && <StatusTag tone="warning" icon={Printer} word={t("byHand")} />}
                  </span>
                  <small>{t("pages", { number: shown.find((one) => one.order === order)?.pages ?? 0 })}</small>
                </span>
                <ChevronRight aria-hidden size={20} strokeWidth={1.75} />
              </button>
            </li>
          ))}
        </ul>
        {documents.some(({ form }) => form === "written") && <Notice tone="info">{t("byHandBody")}</Notice>}
      </Group>
      <Group title={t("declarationsTitle")}>
        <div>
          {declarations.map(({ id, text }) => (
            <Tick key={id} checked={state.ticked.includes(id)} onChange={(checked) => tick(id, checked)}>
              {text}
            </Tick>
          ))}
          {running && (
            <Tick checked={state.replaces} onChange={(replaces) => change({ replaces })}>
              {t("replaces", { number: running.number })}
            </Tick>
          )}
        </div>
      </Group>
      <Group title={t("consentTitle")}>
        <Tick checked={state.ticked.includes(consent.id)} onChange={(checked) => tick(consent.id, checked)}>
          {consent.text}
        </Tick>
      </Group>
      {onScreen && (
        <Group title={driver ? t("signTitleFor", { name }) : t("signTitle")}>
          <div className={styles.ways}>
            <Button aria-pressed={!state.typing} onClick={() => change({ typing: false })}>
              {t("draw")}
            </Button>
            <Button aria-pressed={state.typing} onClick={() => change({ typing: true })}>
              {t("typeInstead")}
            </Button>
          </div>
          {state.typing ? (
            <Field label={t("typedName")} hint={t("accountName", { name })}>
              {(control) => (
                <input
                  {...control}
                  maxLength={120}
                  autoComplete="name"
                  value={state.typed}
                  onChange={({ target }) => change({ typed: target.value })}
                />
              )}
            </Field>
          ) : (
            <>
              <SignaturePad strokes={state.strokes} onChange={(strokes) => change({ strokes })} />
              <p className="field-hint">{t("padHint")}</p>
            </>
          )}
          <p>
            {t("placeAndDay", {
              place: data.contract.place ?? "",
              day: data.contract.date ? daySpan(data.contract.date, data.contract.date, language) : "",
            })}
          </p>
        </Group>
      )}
      {asked && lacking.length > 0 && (
        <Notice tone="warning">
          <b>{t("notYet")}</b>
          <ul className={styles.lacks}>
            {lacking.map((one) => (
              <li key={one}>{t(`lack_${one}`)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {sign.error && <Refused problem={sign.error} />}
      <Button
        kind="primary"
        size="large"
        block
        icon={<PenLine aria-hidden size={18} strokeWidth={1.75} />}
        loading={sign.isPending}
        onClick={() => void submit()}
      >
        {t(onScreen ? "sign" : "saveToPrint")}
      </Button>
      {opened && openedShown && (
        <Reading
          key={opened.order}
          data={data}
          document={opened}
          shown={openedShown}
          next={next && { name: next.name, open: () => setReading(next.order) }}
          onClose={(pages, ms) => {
            setReading(undefined);
            change({
              shown: [...state.shown.filter(({ order }) => order !== opened.order), { order: opened.order, pages, ms }],
            });
          }}
        />
      )}
    </>
  );
}

/** What the server refused. Whoever signed in long ago does so again and comes back to this step. */
function Refused({ problem }: { problem: Problem }) {
  const { t } = useTranslation(["contractWizard", "common", "faults"]);
  const signInAgain = useContext(SignInAgain);
  const { pathname, search } = useLocation();
  if (problem.code === "identity.fresh_login_needed")
    return (
      <Notice
        tone="warning"
        action={<Button onClick={() => signInAgain.leave(pathname + search)}>{t("common:signInAgain")}</Button>}
      >
        {t("stale")}
      </Notice>
    );
  return (
    <Notice tone="danger">
      {t(`faults:${problem.code}`, { replace: problem.params })} {t("notSigned")}
    </Notice>
  );
}
