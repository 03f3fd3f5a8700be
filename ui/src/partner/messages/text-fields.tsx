import { Input, Select } from "antd";
import type { TextAreaRef } from "antd/es/input/TextArea";
import { Bold, Italic, Link as LinkIcon, List, X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useTranslation } from "../../i18n/translation";
import { type Language, languageNames } from "../../i18n/languages";
import styles from "./messages.module.css";

interface Written {
  language: Language;
  topic: string;
  content: string;
}

interface TextFieldsProps {
  text: Written;
  /** What the server found wrong, by field. */
  errors: ReadonlyMap<string, string>;
  translation: boolean;
  /** What stands below the content instead of what can be inserted into messages. */
  hint?: ReactNode;
  /** What the language can be changed to. */
  languages: readonly Language[];
  onChange: (text: Partial<Written>) => void;
  onRemove?: () => void;
}

const TOPIC_MAX = 120;
const CONTENT_MAX = 5000;

/** The topic and the text in one language, with buttons for what can be formatted. */
export function TextFields({ text, errors, translation, hint, languages, onChange, onRemove }: TextFieldsProps) {
  const { t } = useTranslation("messages");
  const id = useId();
  const area = useRef<TextAreaRef>(null);
  const error = errors.get(translation ? "translations.content" : "content");
  const topicError = errors.get(translation ? "translations.topic" : "topic");
  // Puts marks around what is chosen, and chooses it again.
  const wrap = (before: string, after: string) => {
    const field = area.current?.resizableTextArea?.textArea;
    if (!field) return;
    const { selectionStart: from, selectionEnd: to } = field;
    const { content } = text;
    onChange({ content: content.slice(0, from) + before + content.slice(from, to) + after + content.slice(to) });
    requestAnimationFrame(() => {
      field.focus();
      field.setSelectionRange(from + before.length, to + before.length);
    });
  };
  const marks = [
    { label: t("bold"), icon: Bold, around: ["**", "**"] },
    { label: t("italic"), icon: Italic, around: ["*", "*"] },
    { label: t("bullets"), icon: List, around: ["\n- ", ""] },
    { label: t("link"), icon: LinkIcon, around: ["[", "](https://)"] },
  ] as const;
  return (
    <fieldset className={styles.part}>
      <legend>{languageNames[text.language]}</legend>
      {languages.length > 1 && (
        <label className={styles.field}>
          {t("language")}
          <Select
            value={text.language}
            onChange={(language: Language) => onChange({ language })}
            options={languages.map((one) => ({ value: one, label: languageNames[one] }))}
          />
        </label>
      )}
      <label className={styles.field}>
        {t("topic")}
        <Input
          lang={text.language}
          value={text.topic}
          maxLength={TOPIC_MAX}
          status={topicError ? "error" : ""}
          {...(!hint && { placeholder: t("topicHint") })}
          onChange={({ target }) => onChange({ topic: target.value })}
        />
        {topicError && <small role="alert">{topicError}</small>}
      </label>
      <div className={styles.field}>
        <label htmlFor={id}>{t("content")}</label>
        <div className={styles.marks}>
          {marks.map(({ label, icon: Icon, around }) => (
            <button
              key={label}
              type="button"
              className="icon-button"
              aria-label={label}
              title={label}
              onClick={() => wrap(around[0], around[1])}
            >
              <Icon aria-hidden size={16} strokeWidth={1.75} />
            </button>
          ))}
        </div>
        <Input.TextArea
          ref={area}
          id={id}
          lang={text.language}
          rows={8}
          maxLength={CONTENT_MAX}
          value={text.content}
          status={error ? "error" : ""}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChange({ content: target.value })}
        />
        <small id={`${id}-hint`}>{hint ?? (translation ? t("translationHint") : t("contentHint"))}</small>
        {error && <small role="alert">{error}</small>}
      </div>
      {onRemove && (
        <button
          type="button"
          className="icon-button"
          aria-label={t("removeLanguage", { language: languageNames[text.language] })}
          onClick={onRemove}
        >
          <X aria-hidden size={16} strokeWidth={1.75} />
        </button>
      )}
    </fieldset>
  );
}
