import { Ban, CircleCheck, Clock, FileDown, FilePlus, OctagonAlert, TriangleAlert } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { Notice } from "../../components/notice";
import { StatusTag } from "../../components/status-tag";
import { daySpan } from "../../format/date";
import { withBillingTexts } from "../../i18n/billing";
import { formats, type Issued, type Offer, useDocuments, useDownload } from "../../explain/documents";
import { IssueDialog } from "./issue-dialog";
import type { Explained, Settled } from "../../explain/queries";
import { useWords } from "../../explain/words";

const OnTheWay = lazy(async () => (await Promise.all([import("./on-the-way"), withBillingTexts()]))[0]);

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** The bill or invoice of a settlement: to be issued, or to be fetched. */
export function Documents({ settlement }: { settlement: Explained & { settled: Settled } }) {
  const { t } = useTranslation(["explain", "faults", "common"]);
  const { id, state } = settlement.settled;
  const { data, error, refetch } = useDocuments(id);
  const mayWrite = useSession().may("settlements.write");
  const [asking, setAsking] = useState(false);
  if (error)
    return (
      <Notice
        tone="danger"
        action={
          <Button size="small" onClick={() => void refetch()}>
            {t("common:retry")}
          </Button>
        }
      >
        {t(`faults:${error.code}`, { replace: error.params })}
      </Notice>
    );
  if (!data)
    return (
      <div role="status" aria-label={t("common:loading")}>
        <span className="bar" />
      </div>
    );
  if (data.documents.length > 0)
    return (
      <ul className="explain-documents">
        {data.documents.map((one) => (
          <IssuedDocument key={one.id} document={one} offer={data} settlement={settlement} />
        ))}
      </ul>
    );
  if (state === "revoked") return <p className="explain-quiet">{t("noDocuments")}</p>;
  const waits = data.draft?.state === "approval" || data.draft?.state === "draft";
  if (data.draft && waits) return <DraftState draft={data.draft} settlement={settlement} />;
  if (data.missing.length > 0) return <Missing driver={settlement.driverId} missing={data.missing} />;
  return (
    <>
      {data.draft && <DraftState draft={data.draft} settlement={settlement} />}
      <p className="explain-quiet">{t(`offer_${data.kind}`)}</p>
      {mayWrite && (
        <Button icon={<FilePlus {...ICON} />} onClick={() => setAsking(true)}>
          {t(`issue_${data.kind}`)}
        </Button>
      )}
      {asking && <IssueDialog settlement={id} offer={data} onClose={() => setAsking(false)} />}
    </>
  );
}

/** An invoice that waits for its driver's word, or was declined and why. */
function DraftState({ draft, settlement }: { draft: NonNullable<Offer["draft"]>; settlement: Explained }) {
  const { t, amount, language } = useWords(settlement);
  const tone = { draft: "neutral", approval: "warning", approved: "success", declined: "danger" } as const;
  return (
    <div>
      <StatusTag
        tone={tone[draft.state]}
        icon={draft.state === "declined" ? OctagonAlert : Clock}
        word={t(`draft_${draft.state}`)}
      />
      <p className="explain-quiet">
        {amount(draft.gross)}
        {draft.until && <>, {t("draftSilence", { day: daySpan(draft.until, draft.until, language) })}</>}
      </p>
      {draft.reason && <p>{draft.reason}</p>}
    </div>
  );
}

/** What stands in the way of a document, with where to put it right. */
function Missing({ driver, missing }: { driver: string; missing: Offer["missing"] }) {
  const { t } = useTranslation(["explain", "faults"]);
  if (missing.includes("billing.nothing")) return <p className="explain-quiet">{t("faults:billing.nothing")}</p>;
  return (
    <ul className="explain-warnings">
      {missing.map((code) => (
        <li key={code}>
          <TriangleAlert {...ICON} />
          <span>
            {t(`faults:${code}`)}{" "}
            {code.startsWith("billing.no_partner") ? (
              <Link to="/profile">{t("toProfile")}</Link>
            ) : (
              <Link to={`/drivers/${driver}`}>{t("seeDriver")}</Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface IssuedDocumentProps {
  document: Issued;
  offer: Offer;
  settlement: Explained & { settled: Settled };
}

function IssuedDocument({ document, offer, settlement }: IssuedDocumentProps) {
  const { t, amount, language } = useWords(settlement);
  const { download, problem, busy } = useDownload();
  const mayWrite = useSession().may("settlements.write");
  const [again, setAgain] = useState(false);
  const { id, kind, number, issuedOn, gross, vat, hasFile } = document;
  return (
    <li>
      <p>
        {t(`document_${kind}`)} <b>{number}</b>
      </p>
      <DocumentState document={document} />
      <p className="explain-quiet">
        {t("issuedOn", { day: daySpan(issuedOn, issuedOn, language) })} · {amount(gross)}
        {vat !== 0 && <>, {t("vatInside", { amount: amount(vat) })}</>}
      </p>
      {document.authorityNumber && <p className="explain-quiet">{document.authorityNumber}</p>}
      {document.authorityState === "refused" && !document.cancelledAt && (
        <p className="explain-quiet">{document.authorityReason}</p>
      )}
      <div className="explain-downloads">
        <Button
          size="small"
          icon={<FileDown {...ICON} />}
          loading={busy === "pdf"}
          aria-label={t("downloadOf", { number, format: formats.pdf })}
          onClick={() => void download("pdf", id)}
        >
          {formats.pdf}
        </Button>
        {(["xml", "upo"] as const)
          .filter((one) => (one === "xml" ? hasFile : document.hasUpo))
          .map((one) => (
            <Button
              key={one}
              size="small"
              icon={<FileDown {...ICON} />}
              loading={busy === one}
              aria-label={t("downloadOf", { number, format: formats[one] })}
              onClick={() => void download(one, id)}
            >
              {formats[one]}
            </Button>
          ))}
      </div>
      {document.state === "refused" && mayWrite && <Button onClick={() => setAgain(true)}>{t("sendAgain")}</Button>}
      {again && (
        <IssueDialog settlement={settlement.settled.id} offer={offer} again={id} onClose={() => setAgain(false)} />
      )}
      {problem && <Notice tone="danger">{t("downloadFailed")}</Notice>}
    </li>
  );
}

function DocumentState({ document: { state, authorityState, corrects, correctedBy, onTheWay } }: { document: Issued }) {
  const { t } = useTranslation("explain");
  if (state === "corrected")
    return <StatusTag tone="warning" icon={Ban} word={t("documentCorrected", { number: correctedBy })} />;
  if (state === "cancelled") return <StatusTag tone="danger" icon={Ban} word={t("documentCancelled")} />;
  switch (authorityState) {
    case "pending":
      return <StatusTag tone="neutral" icon={Clock} word={t("office_pending", { number: corrects })} />;
    case "waiting":
      if (onTheWay)
        return (
          <Suspense>
            <OnTheWay at={onTheWay} />
          </Suspense>
        );
      return <StatusTag tone="neutral" icon={Clock} word={t("office_waiting")} />;
    case "accepted":
      return <StatusTag tone="success" icon={CircleCheck} word={t("office_accepted")} />;
    case "refused":
      return <StatusTag tone="danger" icon={OctagonAlert} word={t("office_refused")} />;
    default:
      return null;
  }
}
