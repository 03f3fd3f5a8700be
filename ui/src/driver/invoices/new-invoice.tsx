import { ChevronLeft, Crop, LoaderCircle } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { read, type Reading, type Sent, upload, useTerms } from "../../invoices/calls";
import { DetailsFields } from "../../invoices/details-form";
import { useDraft } from "../../invoices/draft";
import type { FieldName } from "../../invoices/fields";
import { sentOf, withRead } from "../../invoices/form";
import { letGo, pick, type Picked, type Unusable } from "../../invoices/picked";
import { Glance } from "../../invoices/picture";
import { SHARP_FROM } from "../../invoices/sharpness";
import { useSession } from "../../session/session";
import { AddButtons } from "./add-buttons";
import { takeChosen } from "./chosen";
import { keepWaiting } from "./waiting";
import styles from "./invoices.module.css";

const Corners = lazy(() => import("../../invoices/corners"));

/** A new invoice: a photo, then what stands on it, then one button. */
export function NewInvoice() {
  const { t } = useTranslation("invoices");
  const [file, setFile] = useState(takeChosen);
  const [round, setRound] = useState(0);
  const again = (next: File) => {
    setFile(next);
    setRound(round + 1);
  };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link className={styles.back} aria-label={t("back")} to="/driver/invoices">
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{t("newTitle")}</h1>
      </header>
      {file ? <Describe key={round} chosen={file} onAgain={again} /> : <AddButtons photo={t("photo")} onFile={again} />}
    </div>
  );
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

function Describe({ chosen, onAgain }: { chosen: File; onAgain: (file: File) => void }) {
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
  return <Ready picked={picked} onAgain={onAgain} />;
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

function Ready({ picked, onAgain }: { picked: Picked; onAgain: (file: File) => void }) {
  const { t } = useTranslation(["invoices", "faults"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const done = useDoneToast();
  const owner = useSession().user.id;
  const terms = useTerms();
  const { draft, setDraft, write, type } = useDraft();
  const reading = useReading(picked.file, ({ fields }) => setDraft((now) => withRead(now, fields, write)));
  const [at, setAt] = useState<FieldName>();
  const [wrong, setWrong] = useState<readonly FieldName[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const [straightening, setStraightening] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const describes = terms.data?.driversDescribe ?? true;
  const marked = at && draft.read[at];

  const keep = async (data: Sent | undefined) => {
    await keepWaiting({ owner, file: picked.file, data });
    done(t("kept"));
    void navigate("/driver/invoices?tab=waiting", { replace: true });
  };
  const send = async (complete: boolean) => {
    const { sent, wrong: unreadable, missing } = sentOf(draft, language);
    const lacking = complete && describes ? [...unreadable, ...missing] : unreadable;
    setWrong(lacking);
    setProblem(undefined);
    if (lacking.length > 0) return;
    const data = describes ? { ...sent, typed: [...draft.touched] } : undefined;
    setBusy(true);
    try {
      await upload({ file: picked.file, key, data });
      done(t(describes && complete ? "sent" : "uploaded"));
      void navigate("/driver/invoices", { replace: true });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      if (reason.status === 0) await keep(data);
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
          <Fields draft={draft} wrong={wrong} problem={problem} onType={type} onFocus={(name) => name && setAt(name)} />
        </>
      ) : (
        <p>{t("fleetDescribes")}</p>
      )}
      {problem && problem.fields.length === 0 && (
        <Notice tone="danger">
          {t("notSent")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      {wrong.length > 0 && <Notice tone="danger">{t("checkFields", { count: wrong.length })}</Notice>}
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
  const { draft, wrong } = props;
  const open = RARE.some((name) => wrong.includes(name) || draft.values[name] !== "");
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
