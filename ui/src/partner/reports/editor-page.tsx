import { useEffect, useRef, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Field, Tick } from "../../components/field";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { codeOf, type Draft, definitionOf, draftOf, type Part, partOf } from "./draft";
import { EditorFields } from "./editor-fields";
import { Preview } from "./preview";
import { type Definition, type Subject, useAdd, useDefinitions, useSave } from "./queries";
import { TextForm } from "./text-form";
import styles from "./editor.module.css";

/** Makes a report or changes one, with its first rows beside it. */
export default function EditorPage() {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const id = useId();
  const [params] = useSearchParams();
  const { data, error, refetch } = useDefinitions(language);
  if (error && !data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("unchanged")}
        problem={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <div className={styles.wait} role="status" aria-label={t("loading")} />;
  const edited = data.items.find((one) => one.id === id && one.own);
  const copied = data.items.find((one) => one.id === params.get("copy"));
  return <Editor key={id} subjects={data.subjects} edited={edited} copied={copied} />;
}

/** The id behind `/reports/edit/`; empty: a new report. */
function useId(): string {
  const { "*": rest = "" } = useParams();
  return rest.replace(/^edit\/?/, "");
}

interface EditorProps {
  subjects: readonly Subject[];
  edited: Definition | undefined;
  copied: Definition | undefined;
}

/** How long somebody must rest before the rows are asked for. */
const REST_MS = 500;

function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** What a new report begins with: something that shows rows at once. */
function startOf(subjects: readonly Subject[]): Draft {
  const [first] = subjects;
  const has = (key: string) => first?.dimensions.some((one) => one.key === key);
  const money = first?.measures.filter(({ kind }) => kind === "money") ?? [];
  return draftOf({
    subject: first?.key,
    title: {},
    measures: [...money, ...(first?.measures ?? [])].slice(0, 2).map(({ key }) => key),
    by: has("week") ? ["week"] : has("period") ? ["period"] : [],
    total: true,
  });
}

function Editor({ subjects, edited, copied }: EditorProps) {
  const { t } = useTranslation(["reports", "faults", "fields", "common"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const done = useDoneToast();
  const source = edited ?? copied;
  const [begun] = useState(() => ({
    draft: source ? draftOf(source.definition) : startOf(subjects),
    code: edited?.code ?? "",
    audience: source?.audience ?? "partner",
    enabled: edited?.enabled ?? true,
  }));
  const [draft, setDraft] = useState(begun.draft);
  const [code, setCode] = useState(begun.code);
  const [audience, setAudience] = useState(begun.audience);
  const [enabled, setEnabled] = useState(begun.enabled);
  const [problem, setProblem] = useState<Problem>();
  const saved = useRef(false);
  const add = useAdd();
  const save = useSave();
  const subject = subjects.find(({ key }) => key === draft.subject);
  const definition = definitionOf(draft, subject?.dated ?? true);
  const written = JSON.stringify(definition);
  const rested = useRested(written);
  const title = draft.title[language] ?? "";
  const address = code || codeOf(title);
  const send = async () => {
    setProblem(undefined);
    const entry = { code: address, audience, enabled, version: edited?.version ?? 0, definition };
    try {
      if (edited) await save.mutateAsync({ id: edited.id, entry });
      else await add.mutateAsync(entry);
      saved.current = true;
      done(t("saved", { title }));
      void navigate("/reports");
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  const changed = () =>
    written !== JSON.stringify(definitionOf(begun.draft, subject?.dated ?? true)) || code !== begun.code;
  const wrong = problem && wrongOf(problem);
  const errorOf = (part: Part) =>
    wrong?.part === part && problem ? t(`faults:${problem.code}`, { replace: problem.params }) : undefined;
  const codeError = problem?.fields.find(({ name }) => name === "code");
  return (
    <>
      <PageHeader
        title={edited ? t("editTitle", { title: edited.title }) : t("newTitle")}
        actions={
          <>
            <Button onClick={() => void navigate("/reports")}>{t("common:cancel")}</Button>
            <Button kind="primary" loading={add.isPending || save.isPending} onClick={() => void send()}>
              {t("save")}
            </Button>
          </>
        }
      />
      {problem && !wrong?.part && (
        <div className={styles.inset}>
          <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>
        </div>
      )}
      <div className={styles.editor}>
        <div className={styles.form}>
          <Field label={t("name")} error={errorOf("title")} required>
            {(control) => (
              <input
                {...control}
                value={title}
                maxLength={120}
                autoComplete="off"
                onChange={({ target }) => setDraft({ ...draft, title: { ...draft.title, [language]: target.value } })}
              />
            )}
          </Field>
          <Field
            label={t("address")}
            hint={address ? t("addressAt", { address: `/report/${address}` }) : t("addressRule")}
            error={codeError && t(`fields:${codeError.code}`, { replace: codeError.params ?? {} })}
          >
            {(control) => (
              <input
                {...control}
                value={code}
                maxLength={60}
                placeholder={codeOf(title)}
                autoComplete="off"
                onChange={({ target }) => setCode(target.value.trim().toLowerCase())}
              />
            )}
          </Field>
          <Field label={t("audience")} hint={audience === "driver" ? t("audienceHint") : undefined}>
            {(control) => (
              <select
                {...control}
                value={audience}
                onChange={({ target }) => setAudience(target.value === "driver" ? "driver" : "partner")}
              >
                <option value="partner">{t("forPartner")}</option>
                <option value="driver">{t("forDrivers")}</option>
              </select>
            )}
          </Field>
          <EditorFields
            subjects={subjects.filter((one) => audience === "partner" || one.drivers || one === subject)}
            draft={draft}
            onChange={setDraft}
            errorOf={errorOf}
          />
          <Tick checked={enabled} onChange={setEnabled}>
            {t("enabled")}
          </Tick>
          <TextForm definition={definition} onApply={(next) => setDraft(draftOf(next))} />
        </div>
        <Preview audience={audience} definition={rested} />
      </div>
      <UnsavedQuestion unsaved={() => !saved.current && changed()} />
    </>
  );
}

/** Which part of the form a refusal is about. */
const wrongOf = (problem: Problem) => ({ part: partOf(problem.params.place ?? "") });
