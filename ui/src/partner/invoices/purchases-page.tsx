import { Download, ReceiptText, TriangleAlert } from "lucide-react";
import { useDeferredValue } from "react";
import { Link, useSearchParams } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { StatusTag } from "../../components/status-tag";
import { daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { type Column, ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import {
  type Decision,
  PAGE,
  type Purchase,
  type PurchasePage,
  useDecide,
  useFile,
  usePurchases,
} from "./purchase-calls";
import styles from "./purchases.module.css";

const SHOWN = ["all", "unmatched", "matched", "strange"] as const;
const PROBLEMS = ["away", "denied", "refused"] as const;

/** The filter in the address, and how it is changed. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (name !== "page") next.delete("page");
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: name === "q" });
  };
  const asked = {
    show: SHOWN.find((one) => one === params.get("show")) ?? "all",
    q: (params.get("q") ?? "").slice(0, 100),
    page: Math.max(1, Number(params.get("page")) || 1),
  };
  return { asked, set, filtered: asked.show !== "all" || asked.q !== "", clear: () => setParams({}) };
}

/** Invoices that KSeF has for the company, and which invoices of drivers they back, as people decide. */
export default function PurchasesPage() {
  const { t } = useTranslation(["purchases", "documents", "faults"]);
  const { asked, set, filtered, clear } = useFilter();
  const found = usePurchases(useDeferredValue(asked));
  const decide = useDecide();
  const file = useFile();
  const columns = useColumns({
    decide: decide.mutate,
    deciding: decide.isPending ? decide.variables.id : undefined,
    file: file.mutate,
    fetching: file.isPending ? file.variables : undefined,
  });
  const { data } = found;
  const problem = decide.error ?? (file.error instanceof Problem ? file.error : null);
  return (
    <>
      <PageHeader title={t("documents:purchases")} />
      <Fetching page={data} />
      <form
        className={styles.filters}
        role="search"
        aria-label={t("filters")}
        onSubmit={(event) => event.preventDefault()}
      >
        <SearchField label={t("search")} value={asked.q} onChange={(value) => set("q", value)} />
        <label>
          {t("show")}
          <select value={asked.show} onChange={({ target }) => set("show", target.value)}>
            {SHOWN.map((one) => (
              <option key={one} value={one}>
                {t(`show_${one}`)}
              </option>
            ))}
          </select>
        </label>
      </form>
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
      {found.isError && !data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : data?.count === 0 ? (
        filtered ? (
          <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clear")} onClear={clear} />
        ) : (
          <FirstUse
            icon={ReceiptText}
            title={t("noneTitle")}
            body={t(data.nextAt ? "noneConnected" : "noneConnect")}
            action={!data.nextAt && <Link to="/profile#services">{t("connect")}</Link>}
          />
        )
      ) : (
        <ListTable
          caption={t("caption")}
          columns={columns}
          rows={data?.items}
          rowKey={({ id }) => id}
          sort={{ by: "number", descending: true }}
          onSort={() => undefined}
          reloading={found.isPlaceholderData}
        />
      )}
      <Pages page={asked.page} last={(data?.count ?? 0) <= asked.page * PAGE} onPage={(n) => set("page", String(n))} />
    </>
  );
}

/** When invoices were fetched last, when they will be next, and what is in the way. */
function Fetching({ page }: { page: PurchasePage | undefined }) {
  const { t } = useTranslation("purchases");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const at = (instant: string) => ({ at: moment(instant, language, timeZone) });
  const problem = PROBLEMS.find((one) => one === page?.problem);
  return (
    <div className={styles.lead}>
      <p>{t("lead")}</p>
      {page?.nextAt && (
        <p>
          {page.lastAt ? t("last", at(page.lastAt)) : t("never")} {t("next", at(page.nextAt))}
        </p>
      )}
      {problem && <Notice tone="warning">{t(`problem_${problem}`)}</Notice>}
    </div>
  );
}

interface Does {
  decide: (decision: Decision) => void;
  deciding: string | undefined;
  file: (id: string) => void;
  fetching: string | undefined;
}

type Key = "number" | "seller" | "gross" | "match" | "file";

function useColumns({ decide, deciding, file, fetching }: Does): Column<Purchase, Key>[] {
  const { t } = useTranslation("purchases");
  const language = useLanguage();
  const { currency: own } = useConfig();
  const { plain } = useAmounts();
  return [
    {
      key: "number",
      head: t("number"),
      skeleton: 130,
      cell: ({ id, number, issuedOn, strange }) => (
        <span className={styles.two}>
          <b>{number || id}</b>
          <small>{issuedOn && daySpan(issuedOn, issuedOn, language)}</small>
          {strange && (
            <span className={styles.decide}>
              <StatusTag tone="warning" icon={TriangleAlert} word={t("strange")} />
              <Button
                aria-label={t("knownOf", { number })}
                loading={deciding === id}
                onClick={() => decide({ id, known: true })}
              >
                {t("known")}
              </Button>
            </span>
          )}
        </span>
      ),
    },
    {
      key: "seller",
      head: t("seller"),
      skeleton: 140,
      cell: ({ id, seller }) => (
        <span className={styles.two}>
          <span>{seller || "–"}</span>
          <small>{id.slice(0, 10)}</small>
        </span>
      ),
    },
    {
      key: "gross",
      head: t("gross"),
      skeleton: 70,
      kind: "number",
      labelled: true,
      cell: ({ gross, currency }) => (currency ? plain(gross) + (currency === own ? "" : ` ${currency}`) : t("unread")),
    },
    {
      key: "match",
      head: t("invoice"),
      skeleton: 140,
      labelled: true,
      cell: ({ id, number, match }) => {
        if (!match) return t("none");
        const { invoice, driver, how, matchedBy } = match;
        return (
          <span className={`${styles.two} ${styles.match}`}>
            <Link to={`/invoices/${invoice}`}>{how ? t("proposed", { driver }) : driver}</Link>
            <small>{how ? t(`how_${how}`) : t("by", { name: matchedBy })}</small>
            <span>
              <Button
                aria-label={how ? t("acceptOf", { number, driver }) : t("undoOf", { number })}
                loading={deciding === id}
                onClick={() => decide({ id, ...(how && { invoice }) })}
              >
                {t(how ? "accept" : "undo")}
              </Button>
            </span>
          </span>
        );
      },
    },
    {
      key: "file",
      head: t("file"),
      skeleton: 60,
      kind: "actions",
      cell: ({ id, number }) => (
        <Button
          icon={<Download aria-hidden size={16} strokeWidth={1.75} />}
          aria-label={t("xmlOf", { number: number || id })}
          loading={fetching === id}
          onClick={() => file(id)}
        >
          {t("xml")}
        </Button>
      ),
    },
  ];
}
