import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import {
  type DocumentType,
  type Image,
  type Place,
  type Shown,
  useDocuments,
  usePicture,
  uploadDocument,
  useRemove,
} from "../../driver-documents/calls";
import { DocumentFacts } from "../../driver-documents/facts";
import { useTypeName } from "../../driver-documents/names";
import { DocumentState } from "../../driver-documents/state";
import { type Side, UploadForm, type UploadFormProps } from "../../driver-documents/upload-form";
import { useSession } from "../../session/session";
import { photoOf, type Refusal, type Waiting } from "../../device/outbox";
import { type FaultCode, Problem } from "../../api/problem";
import { saveCopy } from "../../waiting/copy";
import { giveUp, takeBack, useKeepAndSend, useShown } from "../../waiting/outbox";
import type { DocumentEntry } from "../../waiting/sender";
import styles from "./documents.module.css";

const LIST = "/driver/driver-documents";

/** One document of a driver: what to do about it, what is there, and the way to send it. */
export default function DocumentPage() {
  const { t } = useTranslation("driverDocuments");
  const { type: asked = "" } = useParams();
  const [params] = useSearchParams();
  const vehicle = params.get("vehicle") ?? "";
  const nameOf = useTypeName();
  const found = useDocuments("");
  const type = found.data?.types.find(({ id }) => id === asked);
  const place = found.data?.places.find((one) => one.typeId === asked && one.vehicle === vehicle);
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
  return (
    <div className={styles.page} aria-busy={!found.data}>
      <header className={styles.head}>
        <Link className={styles.back} aria-label={t("back")} to={LIST}>
          <ChevronLeft aria-hidden size={24} strokeWidth={1.75} />
        </Link>
        <h1>{nameOf(type, vehicle)}</h1>
      </header>
      {found.data && (!type || !place) && <Notice tone="info">{t("notAsked")}</Notice>}
      {type && place && <Standing key={place.waiting?.id ?? place.refused?.id ?? ""} type={type} place={place} />}
    </div>
  );
}

function Standing({ type, place }: { type: DocumentType; place: Place }) {
  const { t } = useTranslation("driverDocuments");
  const navigate = useNavigate();
  const done = useDoneToast();
  const mayWrite = useSession().may("documents.write");
  const { state, current, waiting, refused } = place;
  const keepAndSend = useKeepAndSend();
  const [again, setAgain] = useState(false);
  const phone = useOnPhone(type.id, place.vehicle);
  // What is needed now is asked for at once; what is in order is replaced on demand.
  const open = mayWrite && !phone && (again || (!waiting && (state !== "accepted" || !current)));
  return (
    <>
      <div>
        <DocumentState of={state} required={type.required} />
      </div>
      {refused && !waiting && (
        <Notice tone="danger">
          <b>{t("rejectedTitle")}</b> {refused.note}
        </Notice>
      )}
      {waiting && <WaitingOne of={waiting} />}
      {phone && <OnPhone key={phone.id} of={phone} type={type} />}
      {current && (
        <section className={styles.part} aria-label={t("currentTitle")}>
          {waiting && <h2>{t("currentTitle")}</h2>}
          <DocumentFacts of={current} />
          <Pictures of={current} />
        </section>
      )}
      {open ? (
        <UploadForm
          type={type}
          driver=""
          vehicle={place.vehicle}
          before={refused ?? current ?? undefined}
          send={t(refused ? "sendAgain" : "send")}
          upload={uploadBy(keepAndSend)}
          onSent={(now) => {
            done(t(now ? "sent" : "sentLater"));
            void navigate(LIST, { replace: true });
          }}
        />
      ) : (
        mayWrite &&
        !phone && (
          <Button size="large" block onClick={() => setAgain(true)}>
            {t("sendNew")}
          </Button>
        )
      )}
    </>
  );
}

/** What waits on this device for the place of a document. */
function useOnPhone(type: string, vehicle: string): Waiting<DocumentEntry> | undefined {
  return useShown().waiting.find(
    (one): one is Waiting<DocumentEntry> => one.kind === "document" && isOf(one.entry as DocumentEntry, type, vehicle),
  );
}

const isOf = (entry: DocumentEntry, type: string, vehicle: string) =>
  entry.type === type && (vehicle === "" || entry.vehicle === vehicle);

/** What was refused, as an answer to the form. */
const problemOf = ({ code, params, fields = [] }: Refusal) =>
  new Problem(code as FaultCode, { status: 422, params, fields: [...fields] });

/** Sends a document by way of the device, on which it waits where there is no line. */
const uploadBy =
  (keepAndSend: ReturnType<typeof useKeepAndSend>): NonNullable<UploadFormProps["upload"]> =>
  async ({ key, driver, front, back, ...said }) => {
    const entry: DocumentEntry = { ...said, names: { front: front.name, ...(back && { back: back.name }) } };
    const photos = { front, ...(back && { back }) };
    const kept = await keepAndSend({ id: key, kind: "document", version: 0, entry, photos }).catch(() => undefined);
    // Where the device keeps nothing, it is sent at once.
    if (!kept) await uploadDocument({ ...said, driver, front, back, key, id: key });
    if (kept?.is === "refused") throw problemOf(kept.refusal);
    return kept?.is !== "waiting";
  };

/** A document that waits on this device, or was refused when it was sent. */
function OnPhone({ of, type }: { of: Waiting<DocumentEntry>; type: DocumentType }) {
  const { t } = useTranslation(["driverDocuments", "faults"]);
  const { sending } = useShown();
  const keepAndSend = useKeepAndSend();
  const navigate = useNavigate();
  const done = useDoneToast();
  const { id, entry, refusal, sent } = of;
  const files = useKeptFiles(of);
  if (!files) return null;
  return (
    <section className={styles.part} aria-label={t("onPhone")}>
      <h2>{t("onPhone")}</h2>
      {refusal ? (
        <Notice tone="danger">
          {t("onPhoneRefused", { why: t(`faults:${refusal.code as FaultCode}`, { replace: refusal.params }) })}
        </Notice>
      ) : (
        <p>{t(sending ? "onPhoneSending" : "onPhoneBody")}</p>
      )}
      {refusal ? (
        <UploadForm
          type={type}
          driver=""
          vehicle={entry.vehicle}
          before={entry}
          id={id}
          files={files}
          send={t("sendAgain")}
          upload={uploadBy(keepAndSend)}
          onSent={(now) => {
            done(t(now ? "sent" : "sentLater"));
            void navigate(LIST, { replace: true });
          }}
        />
      ) : (
        <div className={styles.pictures}>
          {Object.entries(files).map(([side, file]) => (
            <KeptPicture key={side} side={side} file={file} />
          ))}
        </div>
      )}
      {refusal && (
        <Button kind="text" onClick={() => void saveCopy(of, "saldo", [])}>
          {t("saveFile")}
        </Button>
      )}
      {(refusal ?? !sent) && (
        <Button kind="text" danger onClick={() => void (refusal ? giveUp(id) : takeBack(id))}>
          {t("discardKept")}
        </Button>
      )}
    </section>
  );
}

/** The sides of a document as they wait on this device. */
function useKeptFiles({ owner, id, revision, photos, entry }: Waiting<DocumentEntry>) {
  return useQuery({
    queryKey: ["document on the phone", id, revision],
    queryFn: async () => {
      const found: Partial<Record<Side, File>> = {};
      for (const side of ["front", "back"] as const) {
        const blob = photos.includes(side) ? await photoOf(owner, id, side) : undefined;
        if (blob) found[side] = new File([blob], entry.names[side] ?? side, { type: blob.type });
      }
      return found;
    },
    networkMode: "always",
    gcTime: 0,
  }).data;
}

function KeptPicture({ side, file }: { side: string; file: File }) {
  const { t } = useTranslation("driverDocuments");
  const src = useMemo(() => (file.type.startsWith("image/") ? URL.createObjectURL(file) : ""), [file]);
  useEffect(
    () => () => {
      if (src) URL.revokeObjectURL(src);
    },
    [src],
  );
  return src ? <img src={src} alt={t(side === "back" ? "side_back" : "side_front")} /> : <p>{file.name}</p>;
}

/** What the fleet has not looked at yet. */
function WaitingOne({ of }: { of: Shown }) {
  const { t } = useTranslation(["driverDocuments", "faults"]);
  const remove = useRemove();
  return (
    <section className={styles.part} aria-label={t("waitingTitle")}>
      <p>{t("fleetLooks")}</p>
      <DocumentFacts of={of} />
      <Pictures of={of} />
      {remove.error && (
        <Notice tone="danger">{t(`faults:${remove.error.code}`, { replace: remove.error.params })}</Notice>
      )}
      {of.uploadedBy === "driver" && (
        <Button kind="text" danger loading={remove.isPending} onClick={() => remove.mutate(of)}>
          {t("takeBack")}
        </Button>
      )}
    </section>
  );
}

function Pictures({ of }: { of: Shown }) {
  if (of.images.length === 0) return null;
  return (
    <div className={styles.pictures}>
      {of.images.map((image) => (
        <Picture key={image.id} document={of.id} image={image} />
      ))}
    </div>
  );
}

function Picture({ document, image }: { document: string; image: Image }) {
  const { t } = useTranslation("driverDocuments");
  const src = usePicture(document, image.id, { width: 800 });
  const side = t(`side_${image.side}`);
  return src ? <img src={src} alt={side} /> : <span className="bar" />;
}
