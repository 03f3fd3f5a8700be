import { MessageCircleQuestionMark } from "lucide-react";
import { useDeferredValue } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { type Question, QuestionState, useSubject } from "../../explain/thread";
import { age, daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Column, ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import { useAmounts } from "../../session/amounts";
import { STATES, useQuestions } from "./queries";
import styles from "./questions.module.css";

/** What drivers asked about their settlements; the one that waits longest first. */
export default function QuestionsPage() {
  const { t } = useTranslation("questions");
  const [params, setParams] = useSearchParams();
  const q = params.get("q") ?? "";
  const wanted = params.get("state") ?? "open";
  const state = STATES.find((one) => one === wanted);
  const page = Math.max(1, Number(params.get("page")) || 1);
  const found = useQuestions(state, useDeferredValue(q), page);
  const columns = useColumns(state);
  const go = (next: Record<string, string>) =>
    setParams({ ...(wanted !== "open" && { state: wanted }), ...(q && { q }), ...next }, { replace: true });
  const none = found.data?.total === 0;
  const last = (found.data?.total ?? 0) <= page * (found.data?.pageSize ?? 1);
  return (
    <>
      <PageHeader title={t("title")} />
      <div className={styles.filter}>
        <nav className={styles.states} aria-label={t("filter")}>
          {(["open", "answered", "closed", "all"] as const).map((one) => (
            <Link
              key={one}
              to={`?${new URLSearchParams({ state: one, ...(q && { q }) })}`}
              aria-current={one === wanted ? "page" : undefined}
            >
              {t(`filter_${one}`)}
            </Link>
          ))}
        </nav>
        <SearchField label={t("search")} value={q} onChange={(value) => go({ q: value })} />
      </div>
      {found.isError && !found.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : none && q ? (
        <NoMatch
          title={t("noMatchTitle", { query: q })}
          body={t("noMatchBody")}
          clear={t("clearSearch")}
          onClear={() => go({ q: "" })}
        />
      ) : none ? (
        <FirstUse
          icon={MessageCircleQuestionMark}
          title={t(state === "open" ? "nobodyTitle" : "emptyTitle")}
          body={t(state === "open" ? "nobodyBody" : "emptyBody")}
        />
      ) : (
        <ListTable
          caption={t("caption")}
          columns={columns}
          rows={found.data?.items}
          rowKey={({ id }) => id}
          sort={{ by: "since", descending: false }}
          onSort={() => undefined}
          reloading={found.isPlaceholderData}
        />
      )}
      <Pages page={page} last={last} onPage={(next) => go({ page: String(next) })} />
    </>
  );
}

function useColumns(state: string | undefined): Column<Question>[] {
  const { t } = useTranslation("questions");
  const language = useLanguage();
  const { full } = useAmounts();
  const subject = useSubject("partner");
  return [
    {
      key: "driver",
      head: t("driver"),
      skeleton: 140,
      cell: ({ id, firstName, lastName }) => (
        <Link to={`/questions/${id}`}>
          {firstName} {lastName}
        </Link>
      ),
    },
    {
      key: "about",
      head: t("about"),
      skeleton: 180,
      cell: (row) => (
        <>
          {subject(row)}, {full(row.amount)}
          <small className={styles.quiet}>{daySpan(row.firstOn, row.lastOn, language)}</small>
        </>
      ),
    },
    {
      key: "text",
      head: t("text"),
      skeleton: 220,
      cell: ({ lastText }) => <span className={styles.excerpt}>{lastText}</span>,
    },
    state === "open"
      ? {
          key: "since",
          head: t("since"),
          skeleton: 80,
          cell: ({ waitingSince }) => waitingSince && age(waitingSince, language),
        }
      : { key: "state", head: t("state"), skeleton: 90, cell: (row) => <QuestionState state={row.state} /> },
  ];
}
