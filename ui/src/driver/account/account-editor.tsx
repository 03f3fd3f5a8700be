import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { recall, remember } from "../../browser/storage";
import { Notice } from "../../components/notice";
import { AccountFields } from "./account-fields";
import { withTyped } from "./cities-field";
import { differs, type Filled, type Wrong, wrongIn, wrongOf } from "./account-form";

interface EditorProps {
  start: Filled;
  submit: string;
  /** What was not done when the server refuses. */
  undone: string;
  /** Names the draft that survives the end of a session. */
  draft: string;
  pesel?: string | undefined;
  /** Whether there is nothing to save while nothing was changed. */
  edits?: boolean;
  onSubmit: (filled: Filled) => Promise<unknown>;
  /** Starts again from what is saved, where somebody saved something else meanwhile. */
  onReload?: () => void;
}

/** The form of an account. What is refused stands at its field, and nothing typed is lost. */
export function AccountEditor({ start, draft, edits, ...props }: EditorProps) {
  const { t } = useTranslation(["accounts", "common", "faults"]);
  const country = useConfig().instance.toUpperCase();
  const kept = useDraft(draft);
  const [typed, setTyped] = useState<Filled>({ ...start, ...kept });
  const [city, setCity] = useState("");
  const [wrong, setWrong] = useState<Wrong>({});
  const [problem, setProblem] = useState<Problem>();
  const [unchanged, setUnchanged] = useState(false);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  // The first wrong field takes the focus: on a phone it may be far above the button.
  useEffect(() => {
    if (Object.keys(wrong).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [wrong]);

  const send = async () => {
    const filled = { ...typed, cities: withTyped(typed.cities, city) };
    const found = wrongIn(filled, country);
    setProblem(undefined);
    setUnchanged(false);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    if (edits && !differs(start, filled)) {
      setUnchanged(true);
      return;
    }
    setBusy(true);
    try {
      await props.onSubmit(filled);
      setTyped((now) => ({ ...now, pesel: "" }));
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      // The PESEL is typed again rather than left behind in the browser.
      if (reason.status === 401) remember("sessionStorage", `draft.${draft}`, JSON.stringify({ ...filled, pesel: "" }));
      setProblem(reason);
      setWrong(wrongOf(reason));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send();
  };

  return (
    <form ref={form} className="account-form" noValidate onSubmit={submit}>
      {kept && !problem && <Notice tone="info">{t("common:draftRestored")}</Notice>}
      <AccountFields
        filled={typed}
        city={city}
        onCity={(text) => {
          setUnchanged(false);
          setCity(text);
        }}
        wrong={wrong}
        pesel={props.pesel}
        onChange={(change) => {
          setUnchanged(false);
          setTyped((now) => ({ ...now, ...change }));
        }}
      />
      {problem && (
        <Notice
          tone="danger"
          action={
            problem.code === "accounts.changed" && (
              <Button size="large" onClick={props.onReload}>
                {t("reloadProfile")}
              </Button>
            )
          }
        >
          {t(`faults:${problem.code}`, { replace: problem.params })} {props.undone}
        </Notice>
      )}
      {unchanged && <Notice tone="info">{t("unchanged")}</Notice>}
      <Button kind="primary" type="submit" size="large" className="account-submit" loading={busy}>
        {props.submit}
      </Button>
    </form>
  );
}

// A session that ends in the middle of a form must not cost what was typed.
function useDraft(name: string): Partial<Filled> | null {
  const [text] = useState(() => recall("sessionStorage", `draft.${name}`));
  useEffect(() => remember("sessionStorage", `draft.${name}`, null), [name]);
  return text === null ? null : (JSON.parse(text) as Partial<Filled>);
}
