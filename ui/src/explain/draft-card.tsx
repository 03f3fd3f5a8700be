import { type ReactNode, useId, useState } from "react";
import type { components } from "../api/schema";
import { day } from "../format/date";
import type { Language } from "../i18n/languages";

export type Draft = components["schemas"]["DriverDraft"];

type Key =
  | "draftTitle"
  | "draftLead"
  | "draftUntil"
  | "draftSeller"
  | "draftBuyer"
  | "draftNet"
  | "draftVat"
  | "draftGross"
  | "draftApprove"
  | "draftDecline"
  | "draftWhy"
  | "draftSend"
  | "draftBack"
  | "draftApproved"
  | "draftDeclined"
  | "draftChanged"
  | "draftFailed";

/** What became of an answer: it is saved; something else stands by now, which is shown; or nothing is known of it. */
export type Answered = "saved" | "changed" | "failed";

export const answeredWith = (status: number): Answered =>
  status === 404 || status === 409 ? "changed" : status >= 200 && status < 300 ? "saved" : "failed";

interface DraftCardProps {
  draft: Draft;
  language: Language;
  t: (key: Key, values?: Record<string, string>) => string;
  amount: (minor: number) => string;
  onAnswer: (approve: boolean, reason: string) => Promise<Answered>;
  card: string;
  button: string;
  /** Of the button that approves. */
  primary: string;
}

/** The invoice that a driver is asked to approve. It knows no component library: the page behind a mailed link shows it too. */
export function DraftCard({ draft, language, t, amount, onAnswer, card, button, primary }: DraftCardProps) {
  const [declining, setDeclining] = useState(false);
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [answered, setAnswered] = useState<Answered>();
  const field = useId();
  const send = async (approve: boolean) => {
    setBusy(true);
    const became = await onAnswer(approve, reason);
    setAnswered(became);
    if (became === "changed") setDeclining(false);
    setBusy(false);
  };
  const act = (word: ReactNode, onClick: () => void, disabled = busy, look = button) => (
    <button type="button" className={look} disabled={disabled} onClick={onClick}>
      {word}
    </button>
  );
  return (
    <section className={`${card} draft-card`} aria-label={t("draftTitle")}>
      <h2>{t("draftTitle")}</h2>
      {draft.state === "approval" && (
        <p>
          {t("draftLead")} {draft.until && t("draftUntil", { day: day(`${draft.until}T12:00:00Z`, language, "UTC") })}
        </p>
      )}
      <dl>
        <dt>{t("draftSeller")}</dt>
        <dd>{[draft.seller, draft.street, draft.place, draft.taxId].filter(Boolean).join(", ")}</dd>
        <dt>{t("draftBuyer")}</dt>
        <dd>{draft.buyer}</dd>
        <dt>{t("draftNet")}</dt>
        <dd>{amount(draft.net)}</dd>
        <dt>{t("draftVat")}</dt>
        <dd>
          {amount(draft.vat)}
          {draft.exempt && ` (${draft.exempt})`}
        </dd>
        <dt>{t("draftGross")}</dt>
        <dd>
          <b>{amount(draft.gross)}</b>
        </dd>
      </dl>
      {draft.state === "approved" && <p role="status">{t("draftApproved")}</p>}
      {draft.state === "declined" && <p role="status">{t("draftDeclined", { reason: draft.reason })}</p>}
      {answered === "changed" && <p role="alert">{t("draftChanged")}</p>}
      {answered === "failed" && <p role="alert">{t("draftFailed")}</p>}
      {draft.state === "approval" && !declining && (
        <div className="draft-acts">
          {act(t("draftApprove"), () => void send(true), busy, primary)}
          {act(t("draftDecline"), () => setDeclining(true))}
        </div>
      )}
      {draft.state === "approval" && declining && (
        <>
          <label htmlFor={field}>{t("draftWhy")}</label>
          <textarea
            id={field}
            rows={3}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <div className="draft-acts">
            {act(t("draftSend"), () => void send(false), busy || reason.trim() === "")}
            {act(t("draftBack"), () => setDeclining(false))}
          </div>
        </>
      )}
    </section>
  );
}
