import { Skeleton } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { Dialog } from "../../components/dialog";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { day, daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { languageNames } from "../../i18n/languages";
import { useAmounts } from "../../session/amounts";
import { BillState } from "./bill-state";
import { type SentSummary, useEndLink, useRetry, useSentOf, useSentSummary } from "./sending-queries";
import "./settlements.css";

/** One bill that was sent: to whom, when, whether it arrived, whether it was opened. */
export default function SentSummaryPage() {
  const { tokenUUID = "" } = useParams();
  const { t } = useTranslation("sending");
  const sent = useSentSummary(tokenUUID);
  const all = useSentOf(sent.data?.settlementId);
  return (
    <>
      <PageHeader title={t("pageTitle")} />
      <div className="settlements-sent">
        {sent.isError ? (
          <ErrorState
            title={t("loadFailed")}
            undone={t("unchanged")}
            problem={sent.error}
            onRetry={() => void sent.refetch()}
          />
        ) : sent.data ? (
          <>
            <Sent summary={sent.data} />
            {all.data && all.data.length > 1 && <Others all={all.data} shown={sent.data.id} />}
          </>
        ) : (
          <Skeleton active={false} paragraph={{ rows: 8 }} />
        )}
      </div>
    </>
  );
}

const stateOf = (one: SentSummary) => ({
  state: one.state,
  reason: one.reason,
  at: one.decidedAt ?? one.writtenAt,
  openedAt: one.openedAt,
});

function Sent({ summary }: { summary: SentSummary }) {
  const { t } = useTranslation(["sending", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full } = useAmounts();
  const mayWrite = useSession().may("settlements.write");
  const retry = useRetry();
  const [asked, setAsked] = useState(false);
  const at = (instant: string) => moment(instant, language, timeZone);
  const rows: [string, ReactNode][] = [
    [
      t("driver"),
      <Link key="driver" to={`/drivers/${summary.driverId}`}>
        {summary.lastName} {summary.firstName}
      </Link>,
    ],
    [t("to"), summary.address],
    [
      t("settlement"),
      <Link key="settlement" to={`/transactions/summary/${summary.driverId}/${summary.settlementId}`}>
        {t("numberOf", { number: summary.number, days: daySpan(summary.firstOn, summary.lastOn, language) })}
      </Link>,
    ],
    [t("payout"), full(summary.payout)],
    [
      t("state"),
      <span key="state" className="settlements-chips">
        <BillState bill={stateOf(summary)} />
      </span>,
    ],
    [t("language"), languageNames[summary.language]],
    [t("writtenAt"), at(summary.writtenAt)],
    ...(summary.decidedAt
      ? [[t(summary.state === "failed" ? "failedAt" : "decidedAt"), at(summary.decidedAt)] as [string, ReactNode]]
      : []),
    [t("openedAt"), summary.openedAt ? at(summary.openedAt) : t("notOpened")],
    [t("expiresAt"), summary.works ? t("works", { day: day(summary.expiresAt, language, timeZone) }) : t("ended")],
    [t("sentBy"), summary.sentBy],
  ];
  return (
    <>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {retry.isError && (
        <Notice tone="danger">{t(`faults:${retry.error.code}`, { replace: retry.error.params })}</Notice>
      )}
      {mayWrite && summary.state === "failed" && summary.newest && (
        <p>
          <Button kind="primary" loading={retry.isPending} onClick={() => retry.mutate(summary.id)}>
            {t("retry")}
          </Button>
        </p>
      )}
      {mayWrite && summary.works && (
        <p>
          <Button onClick={() => setAsked(true)}>{t("endLink")}</Button>
        </p>
      )}
      {asked && <EndLink id={summary.id} onClose={() => setAsked(false)} />}
    </>
  );
}

function EndLink({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation(["sending", "faults"]);
  const end = useEndLink();
  return (
    <Dialog title={t("endQuestion")} onClose={onClose}>
      <form
        className="settlements-question"
        onSubmit={(event) => {
          event.preventDefault();
          end.mutate(id, { onSuccess: onClose });
        }}
      >
        <p>{t("endBody")}</p>
        {end.isError && <Notice tone="danger">{t(`faults:${end.error.code}`, { replace: end.error.params })}</Notice>}
        <div>
          <Button onClick={onClose}>{t("back")}</Button>
          <Button kind="primary" type="submit" loading={end.isPending}>
            {t("endLink")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Others({ all, shown }: { all: readonly SentSummary[]; shown: string }) {
  const { t } = useTranslation("sending");
  const language = useLanguage();
  const { timeZone } = useConfig();
  return (
    <section>
      <h2>{t("others")}</h2>
      <ul>
        {all.map((one) => (
          <li key={one.id}>
            <Link
              to={`/drivers/sent-summary/${one.id}/${one.driverId}`}
              {...(one.id === shown && { "aria-current": "page" as const })}
            >
              {moment(one.writtenAt, language, timeZone)}
            </Link>{" "}
            <span className="settlements-chips">
              <BillState bill={stateOf(one)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
