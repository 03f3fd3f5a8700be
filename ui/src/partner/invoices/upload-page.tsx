import { CircleCheck, FileText, LoaderCircle, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { DropArea } from "../../components/drop-area";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { read, upload } from "../../invoices/calls";
import { letGo, IN_OFFICES, pick } from "../../invoices/picked";
import { type Chosen, DriverDialog } from "./driver-dialog";
import styles from "./invoices.module.css";

/** How many files may be dropped at once. */
const FILES_MAX = 50;
const AT_ONCE = 2;

interface Row {
  /** The idempotency key of its upload. */
  key: string;
  file: File;
  driver: Chosen | undefined;
  /** Whose it seems to be by the number plate that was read; a person confirms it. */
  proposed?: Chosen & { plate: string };
  state: "reading" | "waiting" | "sending" | "done" | "failed";
  /** Of the invoice that it became. */
  id?: string;
  why?: string;
}

/** Files for drivers: dropped together, each with its driver, then sent. */
export default function UploadPage() {
  const { t } = useTranslation(["invoices", "faults"]);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [asking, setAsking] = useState<string>(); // the key of a row, or all
  const [tooMany, setTooMany] = useState(false);
  const [busy, setBusy] = useState(false);
  const latest = useRef(rows);
  const set = (next: readonly Row[]) => {
    latest.current = next;
    setRows(next);
  };
  const change = (key: string, part: Partial<Row>) =>
    set(latest.current.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const propose = usePropose((key, proposed) => {
    const state = latest.current.find((one) => one.key === key)?.state;
    change(key, { ...(proposed && { proposed }), ...(state === "reading" && { state: "waiting" }) });
  });
  const add = (files: readonly File[]) => {
    const room = FILES_MAX - rows.length;
    setTooMany(files.length > room);
    const more = files
      .slice(0, room)
      .map((file): Row => ({ key: crypto.randomUUID(), file, driver: undefined, state: "reading" }));
    set([...rows, ...more]);
    propose(more);
  };
  const sendOne = async ({ key, file, driver }: Row) => {
    if (!driver) return;
    change(key, { state: "sending" });
    const picked = await pick(file);
    if (typeof picked === "string") {
      change(key, { state: "failed", why: t(`file_${picked}`) });
      return;
    }
    try {
      const { id } = await upload({ file: picked.file, key, driverUUID: driver.id });
      change(key, { state: "done", id });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      change(key, { state: "failed", why: t(`faults:${reason.code}`, { replace: reason.params }) });
    } finally {
      letGo(picked);
    }
  };
  const ready = rows.filter(({ state, driver }) => driver && state !== "sending" && state !== "done");
  const proposals = rows.filter(({ driver, proposed, state }) => !driver && proposed && state !== "done");
  const without = rows.filter(({ state, driver }) => !driver && state !== "done").length;
  const send = async () => {
    setBusy(true);
    const left = [...ready];
    const worker = async () => {
      for (let one = left.shift(); one; one = left.shift()) await sendOne(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    setBusy(false);
  };
  const choose = (driver: Chosen) => {
    set(rows.map((one) => (one.key === asking || (asking === "all" && !one.driver) ? { ...one, driver } : one)));
    setAsking(undefined);
  };
  const done = rows.filter(({ state }) => state === "done").length;
  return (
    <>
      <PageHeader title={t("addFiles")} actions={<Link to="/invoices">{t("backToList")}</Link>} />
      <div className={styles.upload}>
        <DropArea
          title={t("dropTitle")}
          choose={t("dropChoose")}
          note={t("dropNote", { number: FILES_MAX })}
          accept={IN_OFFICES}
          multiple
          onFiles={add}
        />
        {tooMany && <Notice tone="warning">{t("tooManyFiles", { number: FILES_MAX })}</Notice>}
        {rows.length > 0 && (
          <>
            <ul className={styles.files} aria-label={t("files")}>
              {rows.map((row) => (
                <FileRow
                  key={row.key}
                  row={row}
                  onDriver={() => setAsking(row.key)}
                  onConfirm={() => change(row.key, { driver: row.proposed })}
                  onRemove={() => set(rows.filter(({ key }) => key !== row.key))}
                />
              ))}
            </ul>
            <div className={styles.acts}>
              {proposals.length > 1 && (
                <Button
                  onClick={() =>
                    set(rows.map((one) => (proposals.includes(one) ? { ...one, driver: one.proposed } : one)))
                  }
                >
                  {t("confirmDrivers", { number: proposals.length })}
                </Button>
              )}
              {without > 1 && (
                <Button onClick={() => setAsking("all")}>{t("driverForAll", { number: without })}</Button>
              )}
              <Button kind="primary" loading={busy} disabled={ready.length === 0} onClick={() => void send()}>
                {t("sendFiles", { number: ready.length })}
              </Button>
            </div>
            {done > 0 && !busy && <p role="status">{t("filesDone", { number: done })}</p>}
          </>
        )}
      </div>
      {asking && <DriverDialog onChoose={choose} onClose={() => setAsking(undefined)} />}
    </>
  );
}

interface FileRowProps {
  row: Row;
  onDriver: () => void;
  onConfirm: () => void;
  onRemove: () => void;
}

/** Reads files one after the other for the number plate on them, and says whose it is. */
function usePropose(found: (key: string, proposed: Row["proposed"]) => void) {
  const waiting = useRef<Row[]>([]);
  const stop = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      stop.current?.abort();
      stop.current = undefined;
    },
    [],
  );
  const work = async (signal: AbortSignal) => {
    for (let one = waiting.current.shift(); one; one = waiting.current.shift()) {
      const proposed = await proposalFor(one.file, signal).catch(() => undefined); // a proposal more or less: a person chooses anyway
      if (signal.aborted) return;
      found(one.key, proposed);
    }
    stop.current = undefined;
  };
  return (rows: readonly Row[]) => {
    waiting.current.push(...rows);
    if (stop.current) return;
    stop.current = new AbortController();
    void work(stop.current.signal);
  };
}

async function proposalFor(file: File, signal: AbortSignal): Promise<Row["proposed"]> {
  const picked = await pick(file);
  if (typeof picked === "string") return undefined;
  letGo(picked);
  const reading = await read(picked.file, signal);
  if (!reading?.proposed) return undefined;
  const { id, firstName, lastName } = reading.proposed;
  return { id, name: `${lastName} ${firstName}`, plate: reading.fields.registration?.value ?? "" };
}

function FileRow({ row, onDriver, onConfirm, onRemove }: FileRowProps) {
  const { t } = useTranslation("invoices");
  const icon = { "aria-hidden": true, size: 18, strokeWidth: 1.75 } as const;
  return (
    <li>
      {row.state === "sending" || row.state === "reading" ? (
        <LoaderCircle {...icon} className="spin" />
      ) : row.state === "done" ? (
        <CircleCheck {...icon} />
      ) : (
        <FileText {...icon} />
      )}
      <span className={styles.two}>
        {row.id ? <Link to={`/invoices/${row.id}`}>{row.file.name}</Link> : <span>{row.file.name}</span>}
        <small className={row.state === "failed" ? styles.failed : undefined}>
          {row.why ?? t(`file_${row.state}`)}
        </small>
        {row.proposed && !row.driver && (
          <span className={styles.proposed}>
            <span>{t("proposed", { name: row.proposed.name, plate: row.proposed.plate })}</span>
            <Button onClick={onConfirm}>{t("confirmDriver", { name: row.proposed.name })}</Button>
          </span>
        )}
      </span>
      {row.state === "done" ? (
        <span>{row.driver?.name}</span>
      ) : (
        <Button disabled={row.state === "sending"} onClick={onDriver}>
          {row.driver?.name ?? t("chooseDriver")}
        </Button>
      )}
      {row.state !== "done" && row.state !== "sending" && (
        <Button
          kind="text"
          aria-label={t("removeFile", { name: row.file.name })}
          icon={<X {...icon} />}
          onClick={onRemove}
        />
      )}
    </li>
  );
}
