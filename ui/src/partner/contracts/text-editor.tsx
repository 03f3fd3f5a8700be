import { Save } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { type Template, useSaveTemplate } from "./calls";
import { keptText, useKeep } from "./kept-text";
import { PDFBody } from "./pdf-body";
import { placesOf } from "./places";
import { TextBody } from "./text-body";
import { TextConflict } from "./text-conflict";
import { TextFields } from "./text-fields";
import { TextHistory } from "./text-history";
import styles from "./contracts.module.css";

/** How long somebody rests before the pages are made again. */
const REST_MS = 500;

const FIELDS = ["name", "language", "kind", "form", "order", "required", "active", "body", "fileId"] as const;

const same = (a: Template, b: Template) =>
  FIELDS.every((name) => (a[name] ?? "") === (b[name] ?? "")) &&
  [...a.for].sort().join() === [...b.for].sort().join() &&
  JSON.stringify(a.placements ?? []) === JSON.stringify(b.placements ?? []);

/** A value that follows another once that has rested. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** A document that contracts are made of: its text or its PDF, what is said of it, and who saved it. */
export function TextEditor({ id, saved }: { id: string; saved: Template }) {
  const { t } = useTranslation(["contractTexts", "faults"]);
  const navigate = useNavigate();
  const done = useDoneToast();
  const [kept] = useState(() => keptText(id));
  const [text, setText] = useState<Template>(kept ?? saved);
  const [driver, setDriver] = useState("");
  const save = useSaveTemplate();
  const body = text.body ?? "";
  const changed = !same(text, saved);
  const left = useRef(false);
  useKeep(id, changed ? text : undefined);
  const fresh = id === "new" || id === "pdf";
  const draft = useRested(useDeferredValue(body));
  const placements = useRested(text.placements);
  const { name, language, fileId = "" } = text;
  const shown = {
    body: draft,
    name,
    language,
    driverUUID: driver,
    ...(fileId && { fileId, placements: placements ?? [] }),
  };
  const places = placesOf(save.error);
  const set = (part: Partial<Template>) => setText((now) => ({ ...now, ...part }));

  // What is read again after saving may draw this screen anew: what is said then must not go with it.
  const send = (over?: number) => {
    const sent = { ...text, body, revision: over ?? text.revision ?? 0, ...(!fresh && { id }) };
    save.mutateAsync(sent).then(
      (now) => {
        left.current = true;
        done(t(fileId ? "savedPDF" : "saved", { number: now.version ?? 1 }));
        if (fresh) void navigate(`/contracts/texts/${now.id}`, { replace: true });
        else setText({ ...now, ...(text.file && { file: text.file }) });
      },
      () => undefined, // it is shown
    );
  };
  return (
    <>
      <PageHeader
        title={id === "new" ? t("newTitle") : id === "pdf" ? t("newPDFTitle") : saved.name}
        actions={
          <Button
            kind="primary"
            icon={<Save aria-hidden size={16} strokeWidth={1.75} />}
            loading={save.isPending}
            disabled={id === "pdf" ? !fileId : !changed && !fresh}
            onClick={() => send()}
          >
            {t("save")}
          </Button>
        }
      />
      <div className={styles.body}>
        {kept && changed && (
          <Notice tone="info" action={<Button onClick={() => setText(saved)}>{t("discardKept")}</Button>}>
            {t(kept.revision === saved.revision ? "keptText" : "keptOlder")}
          </Notice>
        )}
        {save.error?.code === "contracts.changed" ? (
          <TextConflict id={id} onTake={setText} onOver={send} />
        ) : (
          save.error && places.length === 0 && <Refused problem={save.error} />
        )}
        <TextFields text={text} problem={save.error} onChange={set} />
        {text.fileId || id === "pdf" ? (
          <PDFBody text={text} shown={shown} problem={save.error} driver={driver} onDriver={setDriver} onChange={set} />
        ) : (
          <TextBody
            body={body}
            shown={shown}
            problem={save.error}
            driver={driver}
            onDriver={setDriver}
            onChange={(next) => set({ body: next })}
          />
        )}
        {!fresh && <TextHistory of={saved} onTake={set} />}
      </div>
      <UnsavedQuestion unsaved={() => changed && !left.current} />
    </>
  );
}

function Refused({ problem }: { problem: Problem }) {
  const { t } = useTranslation(["contractTexts", "faults"]);
  return (
    <Notice tone="danger">
      {t(`faults:${problem.code}`, { replace: problem.params })} {t("notSaved")}
    </Notice>
  );
}
