import { useState } from "react";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { useTranslation } from "../../i18n/translation";
import type { Entry } from "./queries";
import styles from "./editor.module.css";

interface TextFormProps {
  definition: Entry["definition"];
  onApply: (definition: Entry["definition"]) => void;
}

/** The definition as it is kept: for what the form has no field for, and to carry it elsewhere. */
export function TextForm({ definition, onApply }: TextFormProps) {
  const { t } = useTranslation("reports");
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const apply = () => {
    try {
      const read: unknown = JSON.parse(text);
      if (typeof read !== "object" || read === null || Array.isArray(read)) throw new SyntaxError();
      onApply(read as Entry["definition"]);
      setWrong(false);
      setOpen(false);
    } catch (reason) {
      if (!(reason instanceof SyntaxError)) throw reason;
      setWrong(true);
    }
  };
  if (!open)
    return (
      <Button
        kind="link"
        onClick={() => {
          setText(JSON.stringify(definition, null, 2));
          setOpen(true);
        }}
      >
        {t("asText")}
      </Button>
    );
  return (
    <div className={styles.text}>
      <Field label={t("text")} hint={t("textHint")} error={wrong ? t("textWrong") : undefined}>
        {(control) => (
          <textarea
            {...control}
            rows={16}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div className={styles.row}>
        <Button onClick={apply}>{t("textApply")}</Button>
        <Button kind="text" onClick={() => setOpen(false)}>
          {t("textClose")}
        </Button>
      </div>
    </div>
  );
}
