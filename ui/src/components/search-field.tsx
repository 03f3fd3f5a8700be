import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "../i18n/translation";
import { useShortcut } from "../browser/shortcuts";
import "./search-field.css";

const KEY = "/";

/** A search over the list below it. The slash key jumps to it, Escape empties it. */
export function SearchField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  useShortcut(KEY, () => input.current?.focus());
  const clear = () => {
    props.onChange("");
    input.current?.focus();
  };
  return (
    <div className="search-field" role="search">
      <Search aria-hidden size={16} strokeWidth={1.75} />
      <input
        ref={input}
        type="text"
        inputMode="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={props.label}
        aria-keyshortcuts={KEY}
        placeholder={props.label}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") clear();
        }}
      />
      {props.value ? (
        <button type="button" className="search-field-clear" aria-label={t("clear")} onClick={clear}>
          <X aria-hidden size={14} strokeWidth={2} />
        </button>
      ) : (
        <kbd aria-hidden>{KEY}</kbd>
      )}
    </div>
  );
}
