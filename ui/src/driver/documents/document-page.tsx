import { ChevronLeft } from "lucide-react";
import { useState } from "react";
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
  useRemove,
} from "../../driver-documents/calls";
import { DocumentFacts } from "../../driver-documents/facts";
import { useTypeName } from "../../driver-documents/names";
import { DocumentState } from "../../driver-documents/state";
import { UploadForm } from "../../driver-documents/upload-form";
import { useSession } from "../../session/session";
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
  const [again, setAgain] = useState(false);
  // What is needed now is asked for at once; what is in order is replaced on demand.
  const open = mayWrite && (again || (!waiting && (state !== "accepted" || !current)));
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
          onSent={() => {
            done(t("sent"));
            void navigate(LIST, { replace: true });
          }}
        />
      ) : (
        mayWrite && (
          <Button size="large" block onClick={() => setAgain(true)}>
            {t("sendNew")}
          </Button>
        )
      )}
    </>
  );
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
