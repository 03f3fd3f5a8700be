import { ArrowLeft, Ban, Check, Download, Eye } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { save } from "../../browser/save";
import { shortcutsOn, useShortcut } from "../../browser/shortcuts";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Field, Tick } from "../../components/field";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import {
  type DocumentType,
  type Image,
  type Shown,
  useAccept,
  useDocument,
  useDocuments,
  useMatrix,
  usePicture,
  useReject,
  zipOf,
} from "../../driver-documents/calls";
import { DocumentFacts } from "../../driver-documents/facts";
import { useTypeName } from "../../driver-documents/names";
import { DocumentState } from "../../driver-documents/state";
import { ListPlace } from "../../kit/list-place";
import { useConfig } from "../../session/config";
import { Keeping } from "./keep";
import styles from "./documents.module.css";

const KEYS = { accept: "a", reject: "r" } as const;

/** What waits for a look, one after the other, by driver. */
function useWaiting() {
  const found = useMatrix({ state: "waiting" });
  return found.data?.rows.flatMap(({ cells, driverUUID, firstName, lastName }) =>
    cells.flatMap(({ state, documentId }) =>
      state === "waiting" ? [{ id: documentId, driverId: driverUUID, firstName, lastName }] : [],
    ),
  );
}

/** One document beside what stands on it: accepted, or refused with a text to the driver; then the next that waits. */
export function ReviewPage({ id }: { id: string }) {
  const { t } = useTranslation(["driverDocuments", "faults"]);
  const navigate = useNavigate();
  const found = useDocument(id);
  const document = found.data?.document;
  const of = useDocuments(found.data?.driverUUID ?? "");
  const type = of.data?.types.find((one) => one.id === document?.typeId);
  const nameOf = useTypeName();
  const waiting = useWaiting() ?? [];
  const at = waiting.findIndex((one) => one.id === id);
  const place = {
    data: {
      position: at + 1,
      total: waiting.length,
      previous: at > 0 ? (waiting[at - 1] ?? null) : null,
      next: at >= 0 ? (waiting[at + 1] ?? null) : null,
    },
    isPlaceholderData: false,
  };
  const onNext = () => {
    const next = waiting
      .slice(at + 1)
      .concat(waiting.slice(0, Math.max(0, at)))
      .find((one) => one.id !== id);
    void navigate(next ? `/driver-documents/${next.id}` : "/driver-documents", { replace: true });
  };
  const name = of.data && `${of.data.lastName} ${of.data.firstName}`;
  useScreenName(name);
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!document || !found.data) return <PageHeader title={t("document")} />;
  return (
    <>
      <nav className={styles.back}>
        <Link to={`/driver-documents/driver/${found.data.driverUUID}`}>
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {t("allOfDriver", { name: name ?? "" })}
        </Link>
      </nav>
      <PageHeader
        title={nameOf(type, document.vehicle) || t("document")}
        meta={
          <>
            <DocumentState of={document.state} /> {name}
          </>
        }
        actions={at >= 0 && <ListPlace place={place} pathOf={({ id: other }) => `/driver-documents/${other}`} />}
      />
      <div className={styles.review}>
        <Pictures document={document} />
        <section className={styles.side} aria-label={t("onIt")}>
          {document.note && <Notice tone="danger">{document.note}</Notice>}
          {document.erased && <Notice tone="info">{t("erased")}</Notice>}
          {document.state === "waiting" && type ? (
            <Decide key={document.version} document={document} type={type} onNext={onNext} />
          ) : (
            <DocumentFacts of={document} />
          )}
          {!document.erased && <Keeping of={document} />}
          <Trail of={found.data.trail} />
        </section>
      </div>
    </>
  );
}

/** The sides, blurred until somebody wants to see them: each look is written down. */
function Pictures({ document }: { document: Shown }) {
  const { t } = useTranslation("driverDocuments");
  const [clear, setClear] = useState(false);
  return (
    <section className={styles.view} aria-label={t("pictures")}>
      {document.images.map((image) => (
        <Side
          key={image.id}
          document={document.id}
          image={image}
          side={document.images.length === 1 ? t("picture") : t(`side_${image.side}`)}
          clear={clear}
          onClear={() => setClear(true)}
        />
      ))}
      {document.images.length > 0 && (
        <div className={styles.acts}>
          {!clear && (
            <Button icon={<Eye aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setClear(true)}>
              {t("showClear")}
            </Button>
          )}
          <Button
            kind="text"
            icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
            onClick={() => void zipOf(document.id).then((content) => save(content, `${document.typeId}.zip`))}
          >
            {t("zip")}
          </Button>
        </div>
      )}
      {!clear && <p className={styles.quiet}>{t("lookNoted")}</p>}
    </section>
  );
}

interface SideProps {
  document: string;
  image: Image;
  side: string;
  clear: boolean;
  onClear: () => void;
}

function Side({ document, image, side, clear, onClear }: SideProps) {
  const { t } = useTranslation("driverDocuments");
  return (
    <figure className={styles.figure}>
      {clear ? (
        <Clear document={document} image={image} alt={side} />
      ) : (
        <button type="button" aria-label={t("showSide", { side })} onClick={onClear}>
          <Blurred document={document} image={image} />
        </button>
      )}
      <figcaption>{side}</figcaption>
    </figure>
  );
}

function Blurred({ document, image }: { document: string; image: Image }) {
  const src = usePicture(document, image.id, { blurred: true });
  return src ? <img className={styles.blurred} src={src} alt="" /> : <span className="bar" />;
}

function Clear({ document, image, alt }: { document: string; image: Image; alt: string }) {
  const { t } = useTranslation("driverDocuments");
  const src = usePicture(document, image.id, { width: 1600 });
  return src === "" ? (
    <Notice tone="danger">{t("pictureFailed")}</Notice>
  ) : src ? (
    <img src={src} alt={alt} />
  ) : (
    <span className="bar" />
  );
}

/** What stands on a document, and the decision. */
function Decide({ document, type, onNext }: { document: Shown; type: DocumentType; onNext: () => void }) {
  const { t } = useTranslation(["driverDocuments", "faults", "fields"]);
  const done = useDoneToast();
  const accept = useAccept(document.id);
  const [number, setNumber] = useState(document.number);
  const [validTo, setValidTo] = useState(document.validTo);
  const [noEnd, setNoEnd] = useState(type.expires && document.validTo === "");
  const [rejecting, setRejecting] = useState(false);
  const lacks = type.expires && !noEnd && validTo === "";
  const act = () => {
    if (lacks || accept.isPending) return;
    const said = noEnd || !type.expires ? { noEnd: true } : { validTo };
    // What is decided takes this form away before the answer is here: a promise outlives it.
    void accept.mutateAsync({ version: document.version, number: number.trim(), ...said }).then(
      () => {
        done(t("acceptedDone"));
        onNext();
      },
      () => undefined,
    );
  };
  useShortcut(KEYS.accept, act);
  useShortcut(KEYS.reject, () => setRejecting(true));
  const problem = accept.error;
  const refused = problem?.fields.find(({ name }) => name === "validTo");
  return (
    <>
      {type.expires && (
        <>
          {!noEnd && (
            <Field
              label={t("validTo")}
              error={refused && t(`fields:${refused.code}`, { replace: refused.params ?? {} })}
              required
            >
              {(control) => (
                <input {...control} type="date" value={validTo} onChange={({ target }) => setValidTo(target.value)} />
              )}
            </Field>
          )}
          <Tick checked={noEnd} onChange={setNoEnd}>
            {t("noEnd")}
          </Tick>
        </>
      )}
      <Field label={t("number")}>
        {(control) => (
          <input
            {...control}
            maxLength={100}
            autoComplete="off"
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
        )}
      </Field>
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
      <div className={styles.acts}>
        <Button
          kind="primary"
          icon={<Check aria-hidden size={16} strokeWidth={1.75} />}
          loading={accept.isPending}
          disabled={lacks}
          {...(shortcutsOn() && { "aria-keyshortcuts": KEYS.accept })}
          onClick={act}
        >
          {t("accept")}
        </Button>
        <Button
          icon={<Ban aria-hidden size={16} strokeWidth={1.75} />}
          {...(shortcutsOn() && { "aria-keyshortcuts": KEYS.reject })}
          onClick={() => setRejecting(true)}
        >
          {t("reject")}
        </Button>
      </div>
      {shortcutsOn() && <p className={styles.quiet}>{t("keys")}</p>}
      {rejecting && <RejectDialog document={document} onClose={() => setRejecting(false)} onDone={onNext} />}
    </>
  );
}

const TEXT_MAX = 1000;

function RejectDialog(props: { document: Shown; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation(["driverDocuments", "common", "faults"]);
  const done = useDoneToast();
  const reject = useReject(props.document.id);
  const [text, setText] = useState("");
  return (
    <Dialog title={t("rejectTitle")} onClose={props.onClose}>
      <form
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault();
          void reject.mutateAsync({ version: props.document.version, text: text.trim() }).then(
            () => {
              done(t("rejectedDone"));
              props.onClose();
              props.onDone();
            },
            () => undefined,
          );
        }}
      >
        <Field label={t("why")} hint={t("whyHint")} required>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={TEXT_MAX}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        {reject.error && (
          <Notice tone="danger">{t(`faults:${reject.error.code}`, { replace: reject.error.params })}</Notice>
        )}
        <div className={styles.acts}>
          <Button onClick={props.onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" danger type="submit" loading={reject.isPending} disabled={text.trim() === ""}>
            {t("reject")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the trail of a document knows. */
const DID = ["upload", "accept", "reject", "view", "take", "remove", "keep", "erase"] as const;

function Trail({ of }: { of: readonly { at: string; name: string; action: string; reason: string }[] }) {
  const { t } = useTranslation("driverDocuments");
  const { timeZone } = useConfig();
  return (
    <details className={styles.trail}>
      <summary>{t("trail")}</summary>
      <History>
        {of.map(({ at, name, action, reason }) => (
          <HistoryLine
            key={`${at} ${action}`}
            what={t(`did_${DID.find((one) => `documents.${one}` === action) ?? "change"}`)}
            who={name}
            at={at}
            timeZone={timeZone}
          >
            {reason && <span>{reason}</span>}
          </HistoryLine>
        ))}
      </History>
    </details>
  );
}
