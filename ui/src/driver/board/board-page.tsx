import { CheckCheck, CircleCheck, Megaphone, Pin, PinOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Markdown } from "../../components/markdown";
import { fillText, type PlaceholderValues } from "../../components/markdown-placeholders";
import { Notice } from "../../components/notice";
import { StatusTag } from "../../components/status-tag";
import { useUndoToast } from "../../components/undo-toast";
import { day, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { languageNames } from "../../i18n/languages";
import { useConfig } from "../../session/config";
import { type Note, useBoard, useConfirm, usePin, useRead, useReadAll, useRemove, useRestore } from "./queries";
import styles from "./board.module.css";

/** How many notes come at once: where there are as many, there may be more. */
const PAGE = 200;

/** What the partner wrote and what became of the driver's money: pinned notes first, then by day. */
export default function BoardPage() {
  const { t } = useTranslation(["board", "accounts", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const board = useBoard(language);
  const readAll = useReadAll();
  if (board.isError && !board.data)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={board.error}
        onRetry={() => void board.refetch()}
      />
    );
  if (!board.data) return <div className={styles.board} aria-busy="true" />;
  const { notes, unread, values } = board.data;
  const pinned = notes.filter((note) => note.pinned);
  const days = new Map<string, Note[]>();
  for (const note of notes.filter((one) => !one.pinned)) {
    const title = day(note.placedAt, language, timeZone);
    days.set(title, [...(days.get(title) ?? []), note]);
  }
  return (
    <div className={styles.board}>
      <h1 className="sr-only">{t("accounts:boardTitle")}</h1>
      {notes.length === 0 && <FirstUse icon={Megaphone} title={t("emptyTitle")} body={t("emptyBody")} />}
      {unread > 1 && (
        <Button
          icon={<CheckCheck aria-hidden size={18} strokeWidth={1.75} />}
          loading={readAll.isPending}
          onClick={() => readAll.mutate(undefined)}
        >
          {t("readAll")}
        </Button>
      )}
      {readAll.error && (
        <Notice tone="danger">
          {t(`faults:${readAll.error.code}`, { replace: readAll.error.params })} {t("unread")}
        </Notice>
      )}
      {pinned.length > 0 && <Group title={t("pinned")} notes={pinned} values={values} />}
      {[...days].map(([title, some]) => (
        <Group key={title} title={title} notes={some} values={values} />
      ))}
      {notes.length >= PAGE && <Older before={notes.at(-1)?.placedAt ?? ""} />}
    </div>
  );
}

/** Notes that came before those above, fetched when somebody wants them. */
function Older({ before }: { before: string }) {
  const { t } = useTranslation("board");
  const [shown, setShown] = useState(false);
  return shown ? <OlderNotes before={before} /> : <Button onClick={() => setShown(true)}>{t("older")}</Button>;
}

function OlderNotes({ before }: { before: string }) {
  const { t } = useTranslation("board");
  const older = useBoard(useLanguage(), before);
  if (!older.data) return <div aria-busy="true" />;
  const { notes, values } = older.data;
  return (
    <>
      <Group title={t("older")} notes={notes} values={values} />
      {notes.length >= PAGE && <Older before={notes.at(-1)?.placedAt ?? ""} />}
    </>
  );
}

function Group({ title, notes, values }: { title: string; notes: Note[]; values: PlaceholderValues }) {
  return (
    <section aria-label={title}>
      <h2 className={styles.day}>{title}</h2>
      <ul className={styles.list}>
        {notes.map((note) => (
          <Opening key={note.id} note={note} values={{ ...values, ...note.values }} />
        ))}
      </ul>
    </section>
  );
}

/** One note: closed it says what it is about, opened it is read. */
function Opening({ note, values }: { note: Note; values: PlaceholderValues }) {
  const { t } = useTranslation(["board", "common", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const read = useRead();
  const [open, setOpen] = useState(false);
  const unread = note.readAt === null;
  const toggle = () => {
    setOpen(!open);
    if (!open && unread) read.mutate(note.id);
  };
  return (
    <li className={styles.note}>
      <button type="button" className={styles.head} aria-expanded={open} onClick={toggle}>
        <span className={unread ? styles.unread : undefined}>{fillText(note.topic, values)}</span>
        <span className={styles.meta}>
          {unread && <StatusTag tone="brand" icon={Megaphone} word={t("new")} />}
          {note.confirm && note.confirmedAt && <StatusTag tone="success" icon={CircleCheck} word={t("confirmed")} />}
          <time dateTime={note.placedAt}>{moment(note.placedAt, language, timeZone)}</time>
        </span>
      </button>
      {open && read.error && unread && (
        <Notice tone="danger" action={<Button onClick={() => read.mutate(note.id)}>{t("common:retry")}</Button>}>
          {t(`faults:${read.error.code}`, { replace: read.error.params })} {t("unread")}
        </Notice>
      )}
      {open && <Opened note={note} values={values} />}
    </li>
  );
}

const ofVehicle = (vehicle: string) => (vehicle ? `?vehicle=${encodeURIComponent(vehicle)}` : "");

function Opened({ note, values }: { note: Note; values: PlaceholderValues }) {
  const { t } = useTranslation(["board", "faults"]);
  const language = useLanguage();
  const confirm = useConfirm();
  const pin = usePin();
  const remove = useRemoval();
  const problem = confirm.error ?? pin.error ?? remove.error;
  return (
    <div className={styles.body}>
      {note.language !== language && (
        <p className={styles.quiet}>{t("otherLanguage", { language: languageNames[note.language] })}</p>
      )}
      <div lang={note.language} className={styles.text}>
        <Markdown text={note.content} values={values} />
      </div>
      {note.confirm && !note.confirmedAt && (
        <Button kind="primary" loading={confirm.isPending} onClick={() => confirm.mutate(note.id)}>
          {t("confirm")}
        </Button>
      )}
      {note.settlement && (
        <Link className={styles.open} to={`/driver/settlements/${note.settlement}`}>
          {t("open")}
        </Link>
      )}
      {note.invoice && (
        <Link className={styles.open} to={`/driver/invoices/${note.invoice}`}>
          {t("openInvoice")}
        </Link>
      )}
      {note.document && (
        <Link className={styles.open} to={`/driver/driver-documents/${note.document}${ofVehicle(note.vehicle)}`}>
          {t("openDocument")}
        </Link>
      )}
      {note.question && (
        <Link className={styles.open} to={`/driver/questions/${note.question}`}>
          {t("openQuestion")}
        </Link>
      )}
      <div className={styles.acts}>
        <Button
          icon={
            note.pinned ? (
              <PinOff aria-hidden size={16} strokeWidth={1.75} />
            ) : (
              <Pin aria-hidden size={16} strokeWidth={1.75} />
            )
          }
          loading={pin.isPending}
          onClick={() => pin.mutate({ id: note.id, pinned: !note.pinned })}
        >
          {t(note.pinned ? "unpin" : "pin")}
        </Button>
        <Button
          icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
          loading={remove.busy}
          onClick={() => void remove.act(note.id)}
        >
          {t("remove")}
        </Button>
      </div>
      {problem && (
        <Notice tone="danger">
          {t(`faults:${problem.code}`, { replace: problem.params })} {problem === remove.error && t("unremoved")}
        </Notice>
      )}
    </div>
  );
}

/** Deletes a note at once and offers to take that back. The note is gone by then, so nothing here is said beside it. */
function useRemoval() {
  const { t } = useTranslation("board");
  const remove = useRemove();
  const restore = useRestore();
  const offerUndo = useUndoToast();
  const offer = (id: string, text: string) => offerUndo({ icon: Trash2, text, undo: () => void undo(id) });
  // Where the line is cut, it is offered again.
  const undo = async (id: string) => {
    const failed = await restore.mutateAsync(id).then(
      () => false,
      () => true,
    );
    if (failed) offer(id, t("restoreFailed"));
  };
  const act = async (id: string) => {
    const done = await remove.mutateAsync(id).then(
      () => true,
      () => false,
    );
    if (done) offer(id, t("removed"));
  };
  return { act, busy: remove.isPending, error: remove.error };
}
