import { Ban, CircleCheck, CircleStop, Hourglass, Printer, Replace, ScanLine } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { useDoneToast } from "../components/done-toast";
import { Field } from "../components/field";
import { Notice } from "../components/notice";
import { StatusTag } from "../components/status-tag";
import { day, daySpan, moment } from "../format/date";
import { useLanguage } from "../i18n";
import { useConfig } from "../session/config";
import { useSession } from "../session/session";
import { type Contract, useEvidence, useWithdraw } from "./calls";
import { DocumentList } from "./document-list";
import styles from "./contracts.module.css";

const looks = {
  signed_by_driver: { tone: "neutral", icon: Hourglass },
  printed: { tone: "warning", icon: Printer },
  scan_uploaded: { tone: "neutral", icon: ScanLine },
  active: { tone: "success", icon: CircleCheck },
  ended: { tone: "outline", icon: CircleStop },
  withdrawn: { tone: "outline", icon: Ban },
  replaced: { tone: "outline", icon: Replace },
} as const;

const isKnown = (state: string): state is keyof typeof looks => Object.hasOwn(looks, state);

/** A contract: how it stands, its documents, how it was signed, and the way to take it back while that is possible. */
export function ContractCard({ contract }: { contract: Contract }) {
  const { t } = useTranslation("contractWizard");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const mayWrite = useSession().may("contracts.write");
  const [asking, setAsking] = useState(false);
  const { number, state, from, to, signedAt, endedWhy } = contract;
  const open = state === "signed_by_driver" || state === "printed" || state === "scan_uploaded";
  return (
    <article className={styles.contract}>
      <h2>{number ? t("numbered", { number }) : t("unnumbered")}</h2>
      {isKnown(state) && (
        <span className={styles.tags}>
          <StatusTag {...looks[state]} word={t(`state_${state}`)} />
        </span>
      )}
      {from && <small>{to ? daySpan(from, to, language) : t("since", { day: daySpan(from, from, language) })}</small>}
      {signedAt && <small>{t("signedOn", { day: day(signedAt, language, timeZone) })}</small>}
      {endedWhy && state === "withdrawn" && <small>{t("why", { reason: endedWhy })}</small>}
      <DocumentList contract={contract} mayScan={mayWrite} />
      <Evidence id={contract.contractId} />
      {open && mayWrite && (
        <Button kind="text" danger onClick={() => setAsking(true)}>
          {t("withdraw")}
        </Button>
      )}
      {asking && <Withdraw contract={contract} onClose={() => setAsking(false)} />}
    </article>
  );
}

/** What happened around the signature, fetched when somebody wants to know. */
function Evidence({ id }: { id: string }) {
  const { t } = useTranslation(["contractWizard", "contractEvents"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const [open, setOpen] = useState(false);
  const found = useEvidence(id, open);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("evidence")}</summary>
      {found.data && found.data.broken > 0 && (
        <Notice tone="danger">{t("evidenceBroken", { number: found.data.broken })}</Notice>
      )}
      {found.isError && <Notice tone="danger">{t("loadFailed")}</Notice>}
      <ol className={styles.events} aria-busy={open && found.isPending}>
        {found.data?.events.map(({ n, at, kind }) => (
          <li key={n}>
            <span>{t(`contractEvents:event_${kind as "signed"}`)}</span>
            <time dateTime={at}>{moment(at, language, timeZone)}</time>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Withdraw({ contract, onClose }: { contract: Contract; onClose: () => void }) {
  const { t } = useTranslation(["contractWizard", "faults", "fields"]);
  const withdraw = useWithdraw();
  const done = useDoneToast();
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const submit = async () => {
    setAsked(true);
    if (reason.trim() === "") return;
    const sent = { id: contract.contractId, version: contract.version, reason: reason.trim() };
    const ok = await withdraw.mutateAsync(sent).then(
      () => true,
      () => false,
    );
    if (!ok) return;
    done(t("withdrawn"));
    onClose();
  };
  return (
    <Dialog title={t("withdrawTitle")} onClose={onClose}>
      <form
        noValidate
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault();
          if (!withdraw.isPending) void submit();
        }}
      >
        <p>{t("withdrawBody")}</p>
        <Field
          label={t("withdrawReason")}
          error={asked && reason.trim() === "" ? t("fields:required") : undefined}
          required
        >
          {(control) => (
            <textarea {...control} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
          )}
        </Field>
        {withdraw.error && (
          <Notice tone="danger">{t(`faults:${withdraw.error.code}`, { replace: withdraw.error.params })}</Notice>
        )}
        <Button kind="primary" danger type="submit" size="large" block loading={withdraw.isPending}>
          {t("withdraw")}
        </Button>
      </form>
    </Dialog>
  );
}
