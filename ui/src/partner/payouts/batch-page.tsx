import { Download, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { useAmounts } from "../../session/amounts";
import { Dialog } from "../../components/dialog";
import { ErrorState } from "../../components/error-state";
import { type Column, ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { day, moment, today } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { Back, BatchState, useBankName } from "./names";
import { type Batch, bankFile, type Transfer, useBatch, useCancel, usePay, useRelease } from "./queries";
import { RemoveQuestion } from "./remove-question";
import "./payouts.css";

/** One batch: its file, what the bank was told, and what can become of it. */
export default function BatchPage() {
  const { t } = useTranslation("payouts");
  const params = useParams<"number">();
  const number = Number(params.number);
  const found = useBatch(number);
  return (
    <>
      <Back />
      {found.data ? (
        <Known batch={found.data.batch} transfers={found.data.transfers} />
      ) : found.isError ? (
        <ErrorState
          level={1}
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <>
          <PageHeader title={t("batch", { number })} />
          <div className="payouts-wait" role="status" aria-busy aria-label={t("computing")}>
            <span className="bar" />
            <span className="bar" />
          </div>
        </>
      )}
    </>
  );
}

function Known({ batch, transfers }: { batch: Batch; transfers: Transfer[] }) {
  const { t } = useTranslation(["payouts", "faults"]);
  const mayWrite = useSession().may("payouts.write");
  const [problem, setProblem] = useState<Problem>();
  const [question, setQuestion] = useState<"pay" | "cancel">();
  const release = useRelease(batch.number);
  const [removed, setRemoved] = useState<string>();
  const columns = useTransferColumns(
    batch.state === "released" && mayWrite ? ({ settlementId }) => setRemoved(settlementId) : undefined,
  );
  const download = async () => {
    setProblem(undefined);
    try {
      await bankFile(batch);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  const released = async () => {
    setProblem(undefined);
    try {
      await release.mutateAsync(undefined);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  const changed = transfers.filter((one) => one.changed && !one.paid);
  const live = batch.state !== "cancelled";
  return (
    <>
      <PageHeader
        title={t("batch", { number: batch.number })}
        meta={<BatchState batch={batch} />}
        actions={
          <>
            {live && mayWrite && batch.paid === 0 && (
              <Button onClick={() => setQuestion("cancel")}>{t("cancel")}</Button>
            )}
            {batch.state === "proposed" && mayWrite && !batch.own && (
              <Button kind="primary" loading={release.isPending} onClick={() => void released()}>
                {t("release")}
              </Button>
            )}
            {batch.state === "released" && batch.way !== "cash" && (
              <Button
                kind={batch.paid === 0 ? "primary" : "default"}
                icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
                onClick={() => void download()}
              >
                {t("download")}
              </Button>
            )}
            {batch.state === "released" && mayWrite && batch.paid + batch.returned < batch.settlements && (
              <Button onClick={() => setQuestion("pay")}>{t("payAll")}</Button>
            )}
          </>
        }
      />
      <div className="payouts-one">
        {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
        {batch.state === "proposed" && (
          <Notice tone="warning">{t(batch.own ? "waitsForOther" : "waitsForYou", { who: batch.createdBy })}</Notice>
        )}
        {batch.state === "cancelled" && (
          <Notice tone="info">{t("cancelledBy", { who: batch.cancelledBy, reason: batch.cancelReason })}</Notice>
        )}
        {live && changed.length > 0 && (
          <Notice tone="warning">{t("accountsChanged", { count: changed.length })}</Notice>
        )}
        <Facts batch={batch} />
      </div>
      <ListTable
        caption={t("captionTransfers")}
        columns={columns}
        rows={transfers}
        rowKey={({ place }) => String(place)}
        sort={{ by: "place", descending: false }}
        onSort={() => undefined}
        reloading={false}
      />
      {question === "pay" && <PayQuestion batch={batch} onClose={() => setQuestion(undefined)} />}
      {question === "cancel" && <CancelQuestion batch={batch} onClose={() => setQuestion(undefined)} />}
      {removed && (
        <RemoveQuestion
          batch={batch.number}
          transfers={transfers.filter(({ settlementId }) => settlementId === removed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  );
}

function Facts({ batch }: { batch: Batch }) {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full } = useAmounts();
  const bank = useBankName();
  const facts = [
    { word: t("sum"), value: <b>{full(batch.sum)}</b> },
    {
      word: t("transfers"),
      value: t("draftOf", { count: batch.transfers, settlements: batch.settlements }),
    },
    { word: t("way"), value: bank(batch) },
    { word: t("payOn"), value: day(`${batch.payOn}T12:00:00Z`, language, "UTC") },
    { word: t("made"), value: `${batch.createdBy}, ${moment(batch.createdAt, language, timeZone)}` },
    ...(batch.contentHash
      ? [
          { word: t("fileId"), value: <code>{batch.fileId}</code> },
          { word: t("contentHash"), value: <code title={batch.contentHash}>{batch.contentHash.slice(0, 16)}…</code> },
        ]
      : []),
  ];
  return (
    <dl className="payouts-facts">
      {facts.map(({ word, value }) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** `onRemove` takes a settlement out of the batch, where that can be done. */
function useTransferColumns(onRemove: ((one: Transfer) => void) | undefined): Column<Transfer>[] {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { plain, sign } = useAmounts();
  return [
    { key: "place", head: t("place"), skeleton: 20, labelled: true, cell: ({ place }) => count(place, language) },
    {
      key: "name",
      head: t("driver"),
      skeleton: 140,
      cell: (one) => (
        <span className="payouts-who">
          <Link to={`/transactions/summary/${one.driverId}/${one.settlementId}`}>
            {one.lastName} {one.firstName}
          </Link>
          <small>{t("settlementNo", { number: one.number })}</small>
        </span>
      ),
    },
    {
      key: "account",
      head: t("account"),
      skeleton: 130,
      cell: (one) => (
        <span className="payouts-account">
          {one.account || t("way_cash")}
          <small>{one.holder}</small>
          {one.changed && (
            <small className="payouts-warning">
              <TriangleAlert aria-hidden size={12} strokeWidth={2} /> {t("accountChanged")}
            </small>
          )}
        </span>
      ),
    },
    {
      key: "title",
      head: t("transferTitle"),
      skeleton: 200,
      cell: ({ title, purpose, reference }) => (
        <span className="payouts-title">
          {title}
          <small>
            {t(`purpose_${purpose}`)}, {reference}
          </small>
        </span>
      ),
    },
    {
      key: "amount",
      head: t("amount") + sign.replace(/^\s/, ", "),
      kind: "number",
      skeleton: 70,
      cell: ({ amount }) => <b className="payouts-sum">{plain(amount)}</b>,
    },
    {
      key: "paid",
      head: t("paidOn"),
      skeleton: 70,
      labelled: true,
      cell: (one) => {
        const { paid, paidOn, bookedOn, returnedOn, reason, givenUp, here } = one;
        const on = paid ? paidOn : bookedOn;
        return (
          <span className="payouts-account">
            {returnedOn ? (
              <span className="payouts-back-tag">
                {t("cameBackBare", { on: day(`${returnedOn}T12:00:00Z`, language, "UTC") })}
              </span>
            ) : givenUp ? (
              <span className="payouts-back-tag">{t("givenUp")}</span>
            ) : on ? (
              day(`${on}T12:00:00Z`, language, "UTC")
            ) : (
              "–"
            )}
            {returnedOn ? reason && <small>{reason}</small> : bookedOn && <small>{t("saidByBank")}</small>}
            {onRemove && here && !paid && (
              <Button size="small" onClick={() => onRemove(one)}>
                {t("remove")}
              </Button>
            )}
          </span>
        );
      },
    },
  ];
}

function PayQuestion({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const { t } = useTranslation(["payouts", "common", "faults"]);
  const { timeZone } = useConfig();
  const last = today(timeZone);
  const [paidOn, setPaidOn] = useState(batch.payOn < last ? batch.payOn : last);
  const pay = usePay(batch.number);
  const submit = async () => {
    try {
      await pay.mutateAsync(paidOn);
      onClose();
    } catch {
      // why is shown below
    }
  };
  return (
    <Dialog title={t("payAll")} onClose={onClose}>
      <form
        className="payouts-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{t("payBody", { count: batch.settlements - batch.paid - batch.returned })}</p>
        <label>
          {t("paidOn")}
          <input type="date" max={last} required value={paidOn} onChange={({ target }) => setPaidOn(target.value)} />
        </label>
        {pay.error && <Notice tone="danger">{t(`faults:${pay.error.code}`, { replace: pay.error.params })}</Notice>}
        <div>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" loading={pay.isPending} disabled={paidOn > last || paidOn === ""}>
            {t("payNow", { number: batch.settlements - batch.paid - batch.returned })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function CancelQuestion({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const { t } = useTranslation(["payouts", "common", "faults"]);
  const [reason, setReason] = useState("");
  const cancel = useCancel(batch.number);
  const submit = async () => {
    try {
      await cancel.mutateAsync(reason);
      onClose();
    } catch {
      // why is shown below
    }
  };
  return (
    <Dialog title={t("cancelTitle", { number: batch.number })} onClose={onClose}>
      <form
        className="payouts-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{t("cancelBody")}</p>
        <label>
          {t("reason")}
          <textarea
            rows={3}
            maxLength={500}
            required
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
        {cancel.error && (
          <Notice tone="danger">{t(`faults:${cancel.error.code}`, { replace: cancel.error.params })}</Notice>
        )}
        <div>
          <Button onClick={onClose}>{t("goBack")}</Button>
          <Button danger kind="primary" type="submit" loading={cancel.isPending} disabled={reason.trim() === ""}>
            {t("cancelNow")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
