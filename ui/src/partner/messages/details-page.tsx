import { Pin, PinOff, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useParams } from "react-router";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Markdown } from "../../components/markdown";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { languageNames } from "../../i18n/languages";
import { type Column, ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import { useSecondsUntil } from "../../kit/seconds-until";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { Counts } from "./outbox-page";
import { Outcome } from "./outcome";
import {
  type MessageRow,
  type Recipient,
  type Text,
  useCancel,
  useMessage,
  usePin,
  useRecipients,
  useRetry,
  useWithdraw,
} from "./queries";
import styles from "./messages.module.css";

/** One message: what it says, who got it, who did not and why. */
export default function DetailsPage() {
  const { t } = useTranslation("messages");
  const { id = "" } = useParams();
  const found = useMessage(id);
  if (found.isError && !found.data)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  const { message, text, translations = [] } = found.data ?? {};
  if (!message || !text) return <PageHeader title={t("detailsTitle")} />;
  return (
    <>
      <PageHeader title={message.topic} meta={<Outcome state={message.state} />} actions={<Acts message={message} />} />
      <div className={styles.waits}>
        <Waits message={message} heardAt={found.dataUpdatedAt} />
      </div>
      <p className={styles.counts}>
        <Counts row={message} />
      </p>
      <div className={styles.texts}>
        {[text, ...translations].map((one) => (
          <Shown key={one.language} text={one} several={translations.length > 0} />
        ))}
      </div>
      <Recipients message={message} />
    </>
  );
}

function Shown({ text, several }: { text: Text; several: boolean }) {
  return (
    <article className={styles.note} lang={text.language}>
      {several && <p className={styles.quiet}>{languageNames[text.language]}</p>}
      <h2>{text.topic}</h2>
      <Markdown text={text.content} />
    </article>
  );
}

/** Until when a message can be cancelled, with the button for it. */
function Waits({ message, heardAt }: { message: MessageRow; heardAt: number }) {
  const { t } = useTranslation(["messages", "faults", "sms"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const mayWrite = useSession().may("messages.write");
  const cancel = useCancel();
  const seconds = useSecondsUntil(message.waits ? message.startsAt : null, message.now, heardAt);
  const problem = cancel.error && (
    <Notice tone="danger">{t(`faults:${cancel.error.code}`, { replace: cancel.error.params })}</Notice>
  );
  if (!message.waits && message.unsentSMS > 0)
    return (
      <>
        <Notice
          tone="info"
          action={
            mayWrite && (
              <Button loading={cancel.isPending} onClick={() => cancel.mutate(message.id)}>
                {t("sms:stop")}
              </Button>
            )
          }
        >
          {t("sms:unsent", { number: message.unsentSMS })} {t("sms:quiet")}
        </Notice>
        {problem}
      </>
    );
  if (!message.waits) return problem;
  return (
    <>
      <Notice
        tone="info"
        action={
          mayWrite && (
            <Button loading={cancel.isPending} onClick={() => cancel.mutate(message.id)}>
              {t("cancel")}
            </Button>
          )
        }
      >
        {message.sendAt
          ? t("waitsUntil", { at: moment(message.startsAt, language, timeZone) })
          : t("waitsSeconds", { seconds })}
      </Notice>
      {problem}
    </>
  );
}

function Acts({ message }: { message: MessageRow }) {
  const { t } = useTranslation(["messages", "faults"]);
  const mayWrite = useSession().may("messages.write");
  const navigate = useNavigate();
  const done = useDoneToast();
  const retry = useRetry();
  const pin = usePin();
  const withdraw = useWithdraw();
  const [asking, setAsking] = useState(false);
  if (!mayWrite || message.withdrawn) return null;
  const onBoard = message.channels.includes("BOARD") && message.state !== "cancelled";
  const problem = retry.error ?? pin.error;
  const leave = () => {
    done(t("withdrawn"));
    void navigate("/outbox");
  };
  return (
    <>
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
      {message.failed > 0 && (
        <Button
          icon={<RotateCcw aria-hidden size={16} strokeWidth={1.75} />}
          loading={retry.isPending}
          onClick={() => retry.mutate(message.id, { onSuccess: ({ count }) => done(t("retried", { number: count })) })}
        >
          {t("retry", { number: message.failed })}
        </Button>
      )}
      {onBoard && (
        <>
          <Button
            icon={
              message.pinned ? (
                <PinOff aria-hidden size={16} strokeWidth={1.75} />
              ) : (
                <Pin aria-hidden size={16} strokeWidth={1.75} />
              )
            }
            loading={pin.isPending}
            onClick={() => pin.mutate({ id: message.id, pinned: !message.pinned })}
          >
            {t(message.pinned ? "unpinAll" : "pinAll")}
          </Button>
          <Button icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setAsking(true)}>
            {t("withdraw")}
          </Button>
        </>
      )}
      {asking && (
        <Dialog title={t("withdraw")} onClose={() => setAsking(false)}>
          <p>{t("withdrawQuestion")}</p>
          {withdraw.error && (
            <Notice tone="danger">{t(`faults:${withdraw.error.code}`, { replace: withdraw.error.params })}</Notice>
          )}
          <div className={styles.acts}>
            <Button onClick={() => setAsking(false)}>{t("back")}</Button>
            <Button
              danger
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate(message.id, { onSuccess: leave })}
            >
              {t("withdraw")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Recipients({ message }: { message: MessageRow }) {
  const { t } = useTranslation("messages");
  const [page, setPage] = useState(1);
  const { delivered, failed, waiting, read, confirmed, recipients, leftOut } = message;
  const found = useRecipients(message.id, page, [delivered, failed, waiting, read, confirmed].join(" "));
  const columns = useRecipientColumns();
  const size = found.data?.size ?? 0;
  return (
    <section aria-label={t("recipients")} className={styles.recipients}>
      <h2>{t("recipients")}</h2>
      <ListTable
        caption={t("recipients")}
        columns={columns}
        rows={found.data?.items}
        rowKey={({ driverId }) => driverId}
        sort={{ by: "driver", descending: false }}
        onSort={() => undefined}
        reloading={found.isPlaceholderData}
      />
      <Pages page={page} last={recipients + leftOut <= page * size} onPage={setPage} />
    </section>
  );
}

function useRecipientColumns(): Column<Recipient>[] {
  const { t } = useTranslation(["messages", "sms"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const when = (at: string) => moment(at, language, timeZone);
  return [
    {
      key: "driver",
      head: t("driver"),
      skeleton: 160,
      cell: ({ driverId, firstName, lastName }) => (
        <Link to={`/drivers/${driverId}`}>
          {firstName} {lastName}
        </Link>
      ),
    },
    {
      key: "result",
      head: t("result"),
      skeleton: 220,
      cell: (one) =>
        [
          one.refusal && t(`why_${one.refusal}`),
          one.onBoard && t("onBoard"),
          one.mail && t(`mail_${one.mail}`),
          one.reason,
          one.sms && [t(`sms:state_${one.sms}`), one.phone].filter(Boolean).join(" "),
          one.smsReason && (one.smsReason === "other" ? t("sms:whyElse") : t(`sms:why_${one.smsReason}`)),
          one.confirmedAt
            ? t("confirmed", { at: when(one.confirmedAt) })
            : one.readAt && t("read", { at: when(one.readAt) }),
        ]
          .filter(Boolean)
          .join(" · "),
    },
  ];
}
