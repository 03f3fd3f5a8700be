import { FilePenLine, PenLine, Pin, Send, UserPlus } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { StatusTag } from "../../components/status-tag";
import { moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Column, ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { InviteDialog } from "./invite-dialog";
import { Outcome } from "./outcome";
import { type MessageRow, SIZE, useMessages } from "./queries";
import styles from "./messages.module.css";

/** Everything that was written to drivers, newest first, with what became of it. */
export default function OutboxPage() {
  const { t } = useTranslation("messages");
  const mayWrite = useSession().may("messages.write");
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const q = params.get("q") ?? "";
  const page = Math.max(1, Number(params.get("page")) || 1);
  const found = useMessages(useDeferredValue(q), page);
  const columns = useColumns();
  const [inviting, setInviting] = useState(false);
  const write = mayWrite && (
    <>
      <Button
        icon={<FilePenLine aria-hidden size={16} strokeWidth={1.75} />}
        onClick={() => void navigate("/outbox/texts")}
      >
        {t("textsTitle")}
      </Button>
      <Button icon={<UserPlus aria-hidden size={16} strokeWidth={1.75} />} onClick={() => setInviting(true)}>
        {t("invite")}
      </Button>
      <Button
        kind="primary"
        icon={<PenLine aria-hidden size={16} strokeWidth={1.75} />}
        onClick={() => void navigate("/send")}
      >
        {t("write")}
      </Button>
    </>
  );
  const go = (next: Record<string, string>) => setParams(next, { replace: true });
  const none = found.data?.total === 0;
  return (
    <>
      <PageHeader title={t("title")} actions={!(none && !q) && write} />
      {found.isError && !found.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : none && !q ? (
        <FirstUse icon={Send} title={t("emptyTitle")} body={t("emptyBody")} action={write} />
      ) : (
        <>
          <div className={styles.filter}>
            <SearchField label={t("search")} value={q} onChange={(value) => go(value ? { q: value } : {})} />
          </div>
          {none ? (
            <NoMatch
              title={t("noMatchTitle", { query: q })}
              body={t("noMatchBody")}
              clear={t("clearSearch")}
              onClear={() => go({})}
            />
          ) : (
            <ListTable
              caption={t("caption")}
              columns={columns}
              rows={found.data?.items}
              rowKey={({ id }) => id}
              sort={{ by: "sentAt", descending: true }}
              onSort={() => undefined}
              reloading={found.isPlaceholderData}
            />
          )}
          <Pages
            page={page}
            last={(found.data?.total ?? 0) <= page * SIZE}
            onPage={(next) => go({ ...(q && { q }), page: String(next) })}
          />
        </>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function useColumns(): Column<MessageRow>[] {
  const { t } = useTranslation("messages");
  const language = useLanguage();
  const { timeZone } = useConfig();
  return [
    {
      key: "topic",
      head: t("topic"),
      skeleton: 220,
      cell: ({ id, topic, pinned }) => (
        <>
          <Link to={`/details/${id}`}>{topic}</Link>{" "}
          {pinned && <StatusTag tone="neutral" icon={Pin} word={t("pinned")} />}
        </>
      ),
    },
    {
      key: "channels",
      head: t("channels"),
      skeleton: 90,
      cell: ({ channels }) => channels.map((one) => t(`channel_${one}`)).join(", "),
    },
    {
      key: "sentAt",
      head: t("sentAt"),
      skeleton: 120,
      cell: ({ startsAt }) => moment(startsAt, language, timeZone),
    },
    { key: "state", head: t("state"), skeleton: 80, cell: (row) => <Outcome state={row.state} /> },
    { key: "result", head: t("result"), skeleton: 180, cell: (row) => <Counts row={row} /> },
  ];
}

/** How many got it, how many did not, how many wait. */
export function Counts({ row }: { row: MessageRow }) {
  const { t } = useTranslation("messages");
  if (row.state === "cancelled") return null;
  const parts = [
    t("delivered", { number: row.delivered }),
    row.failed > 0 && t("failed", { number: row.failed }),
    row.waiting > 0 && t("waiting", { number: row.waiting }),
    row.channels.includes("BOARD") && t("readBy", { number: row.read }),
    row.confirm && t("confirmedBy", { number: row.confirmed }),
    row.leftOut > 0 && t("leftOut", { number: row.leftOut }),
  ];
  return parts.filter(Boolean).join(" · ");
}
