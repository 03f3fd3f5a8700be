import { ChevronDown, Save } from "lucide-react";
import { useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Menu, MenuGroup, MenuItem } from "../../components/menu";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { UnsavedQuestion } from "../../kit/unsaved-question";
import { type Template, usePreview, useSaveTemplate, useTemplate, useTemplates } from "./calls";
import { keptText, useKeep } from "./kept-text";
import { MarkedArea } from "./marked-area";
import { missingMarks, offsetOf, type Place, placesOf, wrongMark } from "./places";
import { TextFields } from "./text-fields";
import { TextHistory } from "./text-history";
import { TextPages } from "./text-pages";
import styles from "./contracts.module.css";

/** How long somebody rests before the pages are made again. */
const REST_MS = 500;

const FIELDS = ["name", "language", "kind", "form", "order", "required", "active", "body"] as const;

const same = (a: Template, b: Template) =>
  FIELDS.every((name) => a[name] === b[name]) && [...a.for].sort().join() === [...b.for].sort().join();

/** A value that follows another once that has rested. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** The text at the left, its pages at the right. What cannot be printed is marked where it stands, and so is what a driver lacks. */
export function TextEditor({ id, saved }: { id: string; saved: Template }) {
  const { t } = useTranslation(["contractTexts", "faults"]);
  const navigate = useNavigate();
  const done = useDoneToast();
  const [kept] = useState(() => keptText(id));
  const [text, setText] = useState<Template>(kept ?? saved);
  const [driver, setDriver] = useState("");
  const save = useSaveTemplate();
  const area = useRef<HTMLTextAreaElement>(null);
  const label = useId();
  const body = text.body ?? "";
  const changed = !same(text, saved);
  const left = useRef(false);
  useKeep(id, changed ? text : undefined);
  const draft = useRested(useDeferredValue(body));
  const shown = { body: draft, name: text.name, language: text.language, driverUUID: driver };
  const preview = usePreview(shown, 1);
  const refused = draft === body ? (preview.error ?? save.error) : save.error;
  const places = placesOf(refused);
  const marks = [
    ...places.map((place) => wrongMark(body, place)),
    ...(driver && !preview.error ? missingMarks(body, preview.data?.missing ?? []) : []),
  ];
  const set = (part: Partial<Template>) => setText((now) => ({ ...now, ...part }));

  const put = (words: string) => {
    const { selectionStart = body.length, selectionEnd = body.length } = area.current ?? {};
    set({ body: body.slice(0, selectionStart) + words + body.slice(selectionEnd) });
    const after = selectionStart + words.length;
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(after, after);
    });
  };
  const goTo = (place: Place) => {
    const { from, to } = wrongMark(body, place);
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
    const line = body.slice(0, offsetOf(body, place)).split("\n").length;
    if (area.current) area.current.scrollTop = Math.max(0, (line - 5) * 20);
  };
  // What is read again after saving may draw this screen anew: what is said then must not go with it.
  const send = (over?: number) => {
    const sent = { ...text, body, revision: over ?? text.revision ?? 0, ...(id !== "new" && { id }) };
    save.mutateAsync(sent).then(
      (now) => {
        left.current = true;
        done(t("saved", { number: now.version ?? 1 }));
        if (id === "new") void navigate(`/contracts/texts/${now.id}`, { replace: true });
        else setText(now);
      },
      () => undefined, // it is shown
    );
  };
  return (
    <>
      <PageHeader
        title={id === "new" ? t("newTitle") : saved.name}
        actions={
          <Button
            kind="primary"
            icon={<Save aria-hidden size={16} strokeWidth={1.75} />}
            loading={save.isPending}
            disabled={!changed && id !== "new"}
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
          <Conflict id={id} onTake={setText} onOver={send} />
        ) : (
          save.error && places.length === 0 && <Refused problem={save.error} />
        )}
        <TextFields text={text} problem={save.error} onChange={set} />
        <div className={styles.editor}>
          <section aria-labelledby={label}>
            <h2 id={label} className={styles.heading}>
              {t("text")}
            </h2>
            <Insert onPut={put} />
            <MarkedArea
              area={area}
              aria-labelledby={label}
              {...(places.length > 0 && { "aria-invalid": true })}
              maxLength={60_000}
              value={body}
              marks={marks}
              onChange={({ target }) => set({ body: target.value })}
            />
            {places.length > 0 && (
              <ul className={styles.wrong} aria-label={t("wrongPlaces")}>
                {places.map((place) => (
                  <li key={`${place.line} ${place.column} ${place.code}`}>
                    <button type="button" onClick={() => goTo(place)}>
                      {t("lineColumn", { line: place.line, column: place.column })}
                    </button>{" "}
                    {t(`wrong_${place.code as "mark"}`)}
                  </li>
                ))}
              </ul>
            )}
            <p className={styles.quiet}>{t("marksHint")}</p>
          </section>
          <TextPages draft={shown} first={preview} driver={driver} onDriver={setDriver} />
        </div>
        {id !== "new" && <TextHistory of={saved} onTake={(old) => set({ body: old })} />}
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

/** Somebody else saved first: theirs is looked at, and only then taken or saved over. Theirs stays in the history. */
function Conflict(props: { id: string; onTake: (theirs: Template) => void; onOver: (revision: number) => void }) {
  const { t } = useTranslation("contractTexts");
  const [looking, setLooking] = useState(false);
  const found = useTemplate(props.id, { version: 0 }, looking);
  const theirs = found.data;
  return (
    <Notice tone="danger" action={!looking && <Button onClick={() => setLooking(true)}>{t("showTheirs")}</Button>}>
      {t("changedMeanwhile")}
      {theirs && (
        <>
          <pre className={styles.theirs}>{theirs.body}</pre>
          <div className={styles.acts}>
            <Button onClick={() => props.onTake(theirs)}>{t("takeTheirs")}</Button>
            <Button onClick={() => props.onOver(theirs.revision ?? 0)}>{t("saveMine")}</Button>
          </div>
        </>
      )}
    </Notice>
  );
}

const PARTS = ["partner", "driver", "contract", "vehicle", "rent", "account", "company", "statement"] as const;

/** What can be put into a text: values by what they are about, boxes, places to sign, a new page. */
function Insert({ onPut }: { onPut: (words: string) => void }) {
  const { t } = useTranslation("contractTexts");
  const found = useTemplates();
  const { placeholders = [], boxes = [] } = found.data ?? {};
  const trigger = (words: string) => (
    <>
      {words}
      <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
    </>
  );
  const looks = { triggerClass: "button button-default button-middle", placement: "below" } as const;
  return (
    <div className={styles.acts}>
      <Menu label={t("insertValue")} trigger={trigger(t("insertValue"))} {...looks}>
        {PARTS.map((part) => {
          const name = t(`part_${part}`);
          return (
            <MenuGroup key={part} label={name}>
              {placeholders
                .filter((one) => one.startsWith(`${part}.`))
                .map((one) => (
                  <MenuItem key={one} onSelect={() => onPut(`{{${one}}}`)}>
                    {t(`value_${one as "driver.name"}`)}
                  </MenuItem>
                ))}
            </MenuGroup>
          );
        })}
      </Menu>
      <Menu label={t("insertPart")} trigger={trigger(t("insertPart"))} {...looks}>
        <MenuItem onSelect={() => onPut("\n\n[signature:driver]\n[signature:partner]\n")}>{t("insertBoth")}</MenuItem>
        <MenuItem onSelect={() => onPut("\n\n[signature:driver]\n")}>{t("insertDriver")}</MenuItem>
        <MenuItem onSelect={() => onPut("\n\n[page]\n\n")}>{t("insertPage")}</MenuItem>
        <MenuItem onSelect={() => onPut("\n\n| | |\n|---|---|\n| | |\n")}>{t("insertTable")}</MenuItem>
        <MenuGroup label={t("boxes")}>
          {boxes.map((name) => (
            <MenuItem key={name} onSelect={() => onPut(`\n[check:${name}] `)}>
              {t(`box_${name as "student"}`)}
            </MenuItem>
          ))}
        </MenuGroup>
      </Menu>
    </div>
  );
}
