import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useKeptText } from "../../explain/thread";
import styles from "./questions.module.css";

interface WriteFormProps {
  /** What the text is about: it is kept under that until it is sent. */
  about: string;
  label: string;
  hint?: string;
  onSend: (text: string) => Promise<unknown>;
}

/** A text to the fleet. Whatever fails, it stays. */
export function WriteForm({ about, label, hint, onSend }: WriteFormProps) {
  const { t } = useTranslation(["questions", "faults", "fields"]);
  const [text, setText] = useKeptText(about);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const wrong = problem?.fields.find(({ name }) => name === "text");
  const send = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await onSend(text);
      setText("");
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      <Field
        label={label}
        hint={hint}
        error={wrong && t(`fields:${wrong.code}`, { replace: wrong.params ?? {} })}
        required
      >
        {(control) => <textarea {...control} rows={4} value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      {problem && !wrong && (
        <Notice tone="danger">
          {t("askUndone")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      <Button kind="primary" type="submit" size="large" loading={busy}>
        {t("askSend")}
      </Button>
    </form>
  );
}
