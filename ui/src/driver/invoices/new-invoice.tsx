import { ChevronLeft, Crop, LoaderCircle } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useSearchParams } from "react-router";
import { type FaultCode, Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { type Details, read, type Reading, upload, useTerms } from "../../invoices/calls";
import { DetailsFields } from "../../invoices/details-form";
import { useDraft, valuesOf } from "../../invoices/draft";
import type { FieldName } from "../../invoices/fields";
import { useRefused } from "../../invoices/found";
import { draftOf, sentOf, withRead } from "../../invoices/form";
import { letGo, pick, type Picked, type Unusable } from "../../invoices/picked";
import { Glance } from "../../invoices/picture";
import { SHARP_FROM } from "../../invoices/sharpness";
import { AddButtons } from "./add-buttons";
import { photoOf, type Refusal, type Waiting } from "../../device/outbox";
import { useKeepAndSend, useShown } from "../../waiting/outbox";
import type { InvoiceEntry } from "../../waiting/sender";
import { takeChosen } from "./chosen";
import styles from "./invoices.module.css";

const Corners = lazy(() => import("../../invoices/corners"));

/** What was refused, as an answer to this form. */
const problemOf = ({ code, params, fields = [] }: Refusal) =>
  new Problem(code as FaultCode, { status: 422, params, fields: [...fields] });

/** What is known of an invoice that was refused and is put right. */
type Before = Waiting<InvoiceEntry>;

/** A new invoice: a photo, then what stands on it, then one button. One that was refused is opened as it waits on the device. */
export function NewInvoice() {
  const { t } = useTranslation("invoices");
  const [params] = useSearchParams();
  const wanted = params.get("waiting");
  const { waiting } = useShown();
  const before = waiting.find((one): one is Before => one.kind === "invoice" && one.id === wanted);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link className={styles.back} aria-label={t("back")} to="/driver/invoices">
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{t("newTitle")}</h1>
      </header>
      {before ? <Corrected key={before.id} before={before} /> : <Chosen />}
    </div>
  );
}

function Chosen() {
  const { t } = useTranslation("invoices");
  const [chosen, setChosen] = useState(takeChosen);
  return chosen ? <Rounds first={chosen} /> : <AddButtons photo={t("photo")} onFile={setChosen} />;
}

/** The file of what was refused, from the device. */
function Corrected({ before }: { before: Before }) {
  const [known] = useState(before);
  const [file, setFile] = useState<File>();
  useEffect(() => {
    let here = true;
    void photoOf(known.owner, known.id, "file").then((blob) => {
      if (here) setFile(new File(blob ? [blob] : [], known.entry.name, { type: blob?.type ?? "" }));
    });
    return () => {
      here = false;
    };
  }, [known]);
  return file && <Rounds first={file} before={known} />;
}

/** One invoice, however often its photo is taken again. */
function Rounds({ first, before }: { first: File; before?: Before }) {
  const [id] = useState(() => before?.id ?? crypto.randomUUID());
  const [{ file, round }, setRound] = useState({ file: first, round: 0 });
  const again = (next: File) => setRound({ file: next, round: round + 1 });
  return <Describe key={round} id={id} chosen={file} onAgain={again} before={before} />;
}

/** Makes a file ready on the device. */
function usePicked(chosen: File) {
  const [picked, setPicked] = useState<Picked | Unusable>();
  useEffect(() => {
    let here = true;
    let got: Picked | undefined;
    void pick(chosen).then((one) => {
      if (typeof one !== "string") got = one;
      if (here) setPicked(one);
      else if (got) letGo(got);
    });
    return () => {
      here = false;
      if (got) letGo(got);
    };
  }, [chosen]);
  return picked;
}

interface DescribeProps {
  id: string;
  onAgain: (file: File) => void;
  before: Before | undefined;
}

function Describe({ chosen, onAgain, ...props }: DescribeProps & { chosen: File }) {
  const { t } = useTranslation("invoices");
  const picked = usePicked(chosen);
  if (picked === undefined)
    return (
      <p className={styles.reads} role="status">
        <LoaderCircle aria-hidden size={18} strokeWidth={1.75} className="spin" />
        {t("preparing")}
      </p>
    );
  if (typeof picked === "string")
    return (
      <>
        <Notice tone="danger">{t(`file_${picked}`)}</Notice>
        <AddButtons photo={t("photoAgain")} onFile={onAgain} />
      </>
    );
  return <Ready picked={picked} onAgain={onAgain} {...props} />;
}

/** What stands on the file, as soon as it is read. A line that is cut or a reader that is slow changes nothing for who types. */
function useReading(file: File, onRead: (reading: Reading) => void) {
  const [state, setState] = useState<"reading" | "read" | "unread">("reading");
  const told = useRef(onRead);
  useEffect(() => {
    told.current = onRead;
  });
  useEffect(() => {
    const stop = new AbortController();
    read(file, stop.signal).then(
      (reading) => {
        if (stop.signal.aborted) return;
        setState(reading && Object.keys(reading.fields).length > 0 ? "read" : "unread");
        if (reading) told.current(reading);
      },
      () => {
        if (!stop.signal.aborted) setState("unread");
      },
    );
    return () => stop.abort();
  }, [file]);
  return state;
}

function Ready({ picked, onAgain, id, before }: DescribeProps & { picked: Picked }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const done = useDoneToast();
  const keepAndSend = useKeepAndSend();
  const terms = useTerms();
  const typed = before?.entry.data;
  const { draft, setDraft, write, type } = useDraft(() =>
    typed ? draftOf(valuesOf(typed as unknown as Details, language), Object.keys(typed)) : draftOf(),
  );
  const reading = useReading(picked.file, ({ fields }) => setDraft((now) => withRead(now, fields, write)));
  const { refused, onTyping } = useRefused(draft);
  const [at, setAt] = useState<FieldName>();
  const [wrong, setWrong] = useState<readonly FieldName[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>(() => before?.refusal && problemOf(before.refusal));
  const [lost, setLost] = useState(false);
  const [busy, setBusy] = useState(false);
  const [straightening, setStraightening] = useState(false);
  const describes = terms.data?.driversDescribe ?? true;
  const refusals = describes ? Object.keys(refused) : [];
  const toCorrect = new Set([...wrong, ...refusals]).size;
  const marked = at && draft.read[at];

  const send = async (complete: boolean) => {
    const { sent, wrong: unreadable, missing } = sentOf(draft, language);
    const lacking = complete && describes ? [...unreadable, ...missing] : unreadable;
    setWrong(lacking);
    setProblem(undefined);
    if (lacking.length > 0 || (complete && refusals.length > 0)) return;
    const data = describes ? { ...sent, typed: [...draft.touched] } : undefined;
    setBusy(true);
    setLost(false);
    try {
      const { file } = picked;
      const entry = { name: file.name, data };
      const kept = await keepAndSend({ id, kind: "invoice", version: 0, entry, photos: { file } }).catch(
        () => undefined,
      );
      // Where the device keeps nothing, it is sent at once or stays on screen.
      if (!kept) await upload({ file, key: id, id, data });
      if (kept?.is === "refused") {
        setProblem(problemOf(kept.refusal));
        return;
      }
      done(t(kept?.is === "waiting" ? "kept" : describes && complete ? "sent" : "uploaded"));
      void navigate(`/driver/invoices${kept?.is === "waiting" ? "?tab=waiting" : ""}`, { replace: true });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      if (reason.status === 0) setLost(true);
      else setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  const blurred = picked.sharp !== undefined && picked.sharp < SHARP_FROM;
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send(true);
      }}
    >
      <Glance src={picked.picture} alt={picked.picture ? t("pictureOf") : picked.file.name} box={marked?.box} />
      {picked.picture && (
        <Button
          kind="text"
          icon={<Crop aria-hidden size={18} strokeWidth={1.75} />}
          onClick={() => setStraightening(true)}
        >
          {t("straighten")}
        </Button>
      )}
      {straightening && (
        <Suspense>
          <Corners
            file={picked.file}
            src={picked.picture}
            onStraight={onAgain}
            onClose={() => setStraightening(false)}
          />
        </Suspense>
      )}
      {blurred && (
        <>
          <Notice tone="warning">{t("blurred")}</Notice>
          <AddButtons photo={t("photoAgain")} onFile={onAgain} />
        </>
      )}
      {describes ? (
        <>
          <p className={styles.reads} role="status">
            {reading === "reading" && <LoaderCircle aria-hidden size={18} strokeWidth={1.75} className="spin" />}
            {t(reading)}
          </p>
          <Fields
            draft={draft}
            wrong={wrong}
            problem={problem}
            refused={refused}
            onType={type}
            onFocus={(name) => {
              onTyping(name);
              if (name) setAt(name);
            }}
          />
        </>
      ) : (
        <p>{t("fleetDescribes")}</p>
      )}
      {problem && problem.fields.length === 0 && (
        <Notice tone="danger">
          {t("notSent")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      {lost && <Notice tone="danger">{t("notKept")}</Notice>}
      {toCorrect > 0 && <Notice tone="danger">{t("checkFields", { count: toCorrect })}</Notice>}
      <div className={styles.send}>
        <Button kind="primary" type="submit" size="large" block loading={busy}>
          {t("send")}
        </Button>
      </div>
      {describes && wrong.length > 0 && (
        <Button size="large" block onClick={() => void send(false)}>
          {t("saveForLater")}
        </Button>
      )}
    </form>
  );
}

/** What few invoices have: it stands behind one line. */
const RARE: readonly FieldName[] = [
  "buyerTaxId",
  "vatOther",
  "vatZeroBase",
  "registration",
  "mileage",
  "description",
  "correctedNumber",
  "ksefNumber",
];

/** The fields of a driver's form: what every invoice has, and behind one line what few have. */
export function Fields(props: Omit<Parameters<typeof DetailsFields>[0], "only">) {
  const { t } = useTranslation("invoices");
  const { draft, wrong, refused } = props;
  const open = RARE.some((name) => wrong.includes(name) || refused?.[name] !== undefined || draft.values[name] !== "");
  return (
    <>
      <DetailsFields {...props} only={(name) => !RARE.includes(name)} />
      <details className={styles.rest} open={open}>
        <summary>{t("more")}</summary>
        <DetailsFields {...props} only={(name) => RARE.includes(name)} />
      </details>
    </>
  );
}
