import { Select } from "antd";
import { RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Markdown } from "../../components/markdown";
import { fillText } from "../../components/markdown-placeholders";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useUndoToast } from "../../components/undo-toast";
import { moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Language, languageNames } from "../../i18n/languages";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { type Template, useResetTemplate, useSaveTemplate, useTemplates } from "./queries";
import { TextFields } from "./text-fields";
import { useFieldErrors } from "./field-errors";
import styles from "./messages.module.css";

/** The texts of the notes that the program writes, by language: as drivers get them, and a way to change each. */
export default function TextsPage() {
  const { t } = useTranslation("messages");
  const config = useConfig();
  const [language, setLanguage] = useState<Language>(config.defaultLanguage);
  const found = useTemplates(language);
  const [editing, setEditing] = useState("");
  return (
    <>
      <PageHeader title={t("textsTitle")} actions={<Link to="/outbox">{t("title")}</Link>} />
      <div className={styles.texts}>
        <p className={styles.lead}>{t("textsLead")}</p>
        <label className={styles.field}>
          {t("language")}
          <Select
            style={{ maxWidth: 280 }}
            disabled={editing !== ""}
            value={language}
            onChange={setLanguage}
            options={config.languages.map((one) => ({ value: one, label: languageNames[one] }))}
          />
        </label>
        {found.isError && !found.data ? (
          <ErrorState
            title={t("textsFailed")}
            undone={t("loadFailedBody")}
            problem={found.error}
            onRetry={() => void found.refetch()}
          />
        ) : (
          found.data?.items.map((one) =>
            editing === one.kind ? (
              <Editor key={`${one.kind} ${one.version}`} template={one} onEnd={() => setEditing("")} />
            ) : (
              <Shown key={one.kind} template={one} {...(editing === "" && { onChange: () => setEditing(one.kind) })} />
            ),
          )
        )}
      </div>
    </>
  );
}

interface ShownProps {
  template: Template;
  /** Begins to change it; absent while another is changed. */
  onChange?: () => void;
}

function Shown({ template, onChange }: ShownProps) {
  const { t } = useTranslation(["messages", "faults"]);
  const mayWrite = useSession().may("messages.write");
  const { timeZone } = useConfig();
  const shown = useLanguage();
  const reset = useResetTemplate();
  const save = useSaveTemplate();
  const undoable = useUndoToast();
  const { kind, language, topic, content, own, version, changedAt, changedBy } = template;
  const name = t(`kind_${kind}`);
  const problem = reset.error ?? save.error;
  return (
    <section aria-label={name} className={styles.part}>
      <h2 className={styles.kind}>{name}</h2>
      <p className={styles.quiet}>
        {t(own ? "ownText" : "defaultText")}
        {own && changedAt && ` · ${t("textChangedBy", { at: moment(changedAt, shown, timeZone), name: changedBy })}`}
      </p>
      <Sample language={language} topic={topic} content={content} />
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
      {mayWrite && onChange && (
        <div className={styles.acts}>
          <Button aria-label={t("changeTextOf", { kind: name })} onClick={onChange}>
            {t("changeText")}
          </Button>
          {own && (
            <Button
              icon={<RotateCcw aria-hidden size={16} strokeWidth={1.75} />}
              loading={reset.isPending}
              onClick={() =>
                reset.mutate(template, {
                  onSuccess: () =>
                    undoable({
                      icon: RotateCcw,
                      text: t("textReset", { kind: name }),
                      undo: () => save.mutate({ kind, language, topic, content, version: version + 1 }),
                    }),
                })
              }
            >
              {t("resetText")}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function Sample({ language, topic, content }: { language: Language; topic: string; content: string }) {
  const { t } = useTranslation("messages");
  const { partner } = useSession();
  const example = useTemplates(language).data?.example;
  const values = { ...example, first_name: t("exampleName"), partner: partner?.name ?? "" };
  return (
    <article className={styles.note} lang={language}>
      <h3>{fillText(topic, values)}</h3>
      <Markdown text={content} values={values} />
    </article>
  );
}

function Editor({ template, onEnd }: { template: Template; onEnd: () => void }) {
  const { t } = useTranslation(["messages", "faults"]);
  const { kind, language, version, placeholders, defaultTopic, defaultContent } = template;
  const id = useId();
  const [text, setText] = useState({ language, topic: template.topic, content: template.content });
  const save = useSaveTemplate();
  const done = useDoneToast();
  const problem = save.error;
  const errors = useFieldErrors(problem);
  const unsaved = () => text.topic !== template.topic || text.content !== template.content;
  return (
    <form
      className={styles.editor}
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(
          { kind, ...text, version },
          {
            onSuccess: () => {
              done(t("textSaved"));
              onEnd();
            },
          },
        );
      }}
    >
      <h2 id={id} className={styles.kind}>
        {t(`kind_${kind}`)}
      </h2>
      <TextFields
        text={text}
        errors={errors}
        translation={false}
        languages={[language]}
        hint={
          <>
            {t("canInsert")}: {placeholders.map((one) => `{${one}} ${t(`insert_${one as "period"}`)}`).join(", ")}.{" "}
            {placeholders.includes("payout") && t("noAmountInTopic")}
          </>
        }
        onChange={(changed) => setText({ ...text, ...changed })}
      />
      <div>
        <h3 className={styles.quiet}>{t("preview")}</h3>
        <Sample {...text} />
      </div>
      <details>
        <summary>{t("showDefault")}</summary>
        <Sample language={language} topic={defaultTopic} content={defaultContent} />
      </details>
      {problem && (
        <Notice
          tone="danger"
          action={problem.code === "messages.text_changed" && <Button onClick={onEnd}>{t("reloadText")}</Button>}
        >
          {t(`faults:${problem.code}`, { replace: problem.params })} {t("textUnsaved")}
        </Notice>
      )}
      <div className={styles.acts}>
        <Button kind="primary" type="submit" loading={save.isPending}>
          {t("saveText")}
        </Button>
        <Button onClick={() => setText({ language, topic: defaultTopic, content: defaultContent })}>
          {t("resetText")}
        </Button>
        <Button onClick={onEnd}>{t("keepText")}</Button>
      </div>
      <UnsavedQuestion unsaved={unsaved} />
    </form>
  );
}
