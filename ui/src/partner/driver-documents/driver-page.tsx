import { ArrowLeft, Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Problem } from "../../api/problem";
import { save } from "../../browser/save";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import { type DocumentType, type Place, useDocuments, zipOf } from "../../driver-documents/calls";
import { DocumentFacts } from "../../driver-documents/facts";
import { useTypeName } from "../../driver-documents/names";
import { DocumentState } from "../../driver-documents/state";
import { UploadForm } from "../../driver-documents/upload-form";
import styles from "./documents.module.css";

/** The documents of one driver: what is there, what is missing, all pictures in one file. */
export function DriverPage({ id }: { id: string }) {
  const { t } = useTranslation(["driverDocuments", "faults"]);
  const found = useDocuments(id);
  const nameOf = useTypeName();
  const done = useDoneToast();
  const [adding, setAdding] = useState<{ type: DocumentType; place: Place }>();
  const [problem, setProblem] = useState<Problem>();
  const of = found.data;
  const name = of ? `${of.lastName} ${of.firstName}` : "";
  useScreenName(name || undefined);
  if (found.isError && !of)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  const pictured = of?.places.some(
    ({ current, waiting }) => (current?.images.length ?? waiting?.images.length ?? 0) > 0,
  );
  const download = () => {
    setProblem(undefined);
    zipOf(id).then(
      (content) => save(content, `${name.replace(/\s+/g, "_")}.zip`),
      (reason: unknown) => {
        if (!(reason instanceof Problem)) throw reason;
        setProblem(reason);
      },
    );
  };
  return (
    <>
      <nav className={styles.back}>
        <Link to="/driver-documents">
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {t("backToList")}
        </Link>
        <Link to={`/drivers/${id}`}>{t("toDriver")}</Link>
      </nav>
      <PageHeader
        title={name || t("document")}
        actions={
          pictured && (
            <Button icon={<Download aria-hidden size={16} strokeWidth={1.75} />} onClick={download}>
              {t("zip")}
            </Button>
          )
        }
      />
      <div className={styles.body}>
        {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
        <ul className={styles.places} aria-busy={!of}>
          {of?.places.map((place) => {
            const type = of.types.find((one) => one.id === place.typeId);
            const shown = place.waiting ?? place.current ?? place.refused;
            return (
              type && (
                <li key={`${place.typeId} ${place.vehicle}`}>
                  <div className={styles.placeHead}>
                    <h2>{nameOf(type, place.vehicle)}</h2>
                    <DocumentState of={place.state} required={type.required} />
                  </div>
                  {place.refused && !place.waiting && <p>{place.refused.note}</p>}
                  {shown && <DocumentFacts of={shown} />}
                  <div className={styles.acts}>
                    {shown && <Link to={`/driver-documents/${shown.id}`}>{t(place.waiting ? "check" : "show")}</Link>}
                    <Button onClick={() => setAdding({ type, place })}>{t(shown ? "addNew" : "add")}</Button>
                  </div>
                </li>
              )
            );
          })}
        </ul>
      </div>
      {adding && (
        <Dialog title={nameOf(adding.type, adding.place.vehicle)} onClose={() => setAdding(undefined)}>
          <UploadForm
            type={adding.type}
            driver={id}
            vehicle={adding.place.vehicle}
            before={adding.place.current ?? undefined}
            send={t("addIt")}
            onSent={() => {
              done(t("added"));
              setAdding(undefined);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
