import { useQueryClient } from "@tanstack/react-query";
import { ChevronRight, X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useSession } from "../../session/session";
import { Answers } from "./answers";
import { Facts } from "./facts";
import { Failure } from "./failure";
import { ImportStatus, newOf, ProviderName, useMoney } from "./names";
import { asks, PreviewDetails, restates } from "./preview-details";
import { type Import, isBusy, type One, TOUCHED, useCancel, useImport } from "./queries";
import { RemoveButton } from "./remove-dialog";
import { Reread } from "./reread";
import { putAway } from "./uploads";
import { Warnings, WhyItWaits } from "./warnings";
import { Working } from "./working";
import styles from "./file-row.module.css";

/** The columns of the workbench; every row has a cell for each. */
const columns = ["provider", "period", "drivers", "toImport", "existing", "failed", "amount", "status"] as const;

const numeric: readonly string[] = ["drivers", "toImport", "existing", "failed", "amount"];

/** What the columns are called. */
function useHeads() {
  const { t } = useTranslation("imports");
  const { sign } = useMoney();
  return {
    provider: t("recognised"),
    period: t("period"),
    drivers: t("drivers"),
    toImport: t("toImport"),
    existing: t("count_existing"),
    failed: t("count_failed"),
    amount: t("amountIn", { currency: sign }),
    status: t("logStatus"),
  };
}

/** The heads of the columns. Each cell says its own too, where the heads cannot be seen. */
export function FileHeads() {
  const { t } = useTranslation("imports");
  const heads = useHeads();
  return (
    <div className={`${styles.line} ${styles.heads}`} aria-hidden>
      <span>{t("logFile")}</span>
      {columns.map((column) => (
        <span key={column} data-numeric={numeric.includes(column) || undefined}>
          {heads[column]}
        </span>
      ))}
    </div>
  );
}

type Cells = Partial<Record<(typeof columns)[number], ReactNode>>;

function Line({ first, cells, last }: { first: ReactNode; cells: Cells; last?: ReactNode }) {
  const heads = useHeads();
  return (
    <div className={styles.line}>
      <div className={styles.first}>{first}</div>
      {columns.map((column) => (
        <span
          key={column}
          className={styles.cell}
          data-numeric={numeric.includes(column) || undefined}
          data-empty={cells[column] === undefined || undefined}
        >
          {cells[column] !== undefined && column !== "status" && column !== "provider" && (
            <span className={styles.head}>{heads[column]}</span>
          )}
          {cells[column]}
        </span>
      ))}
      <span className={styles.last}>{last}</span>
    </div>
  );
}

/** What all files together would bring. */
export function FileTotals({ ready }: { ready: readonly One[] }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { plain } = useMoney();
  const { count: rows, sum } = newOf(ready.flatMap(({ preview }) => preview.totals));
  const all = (kind: "existing" | "failed") =>
    count(
      ready.reduce((number, { preview }) => number + preview.counts.transactions[kind], 0),
      language,
    );
  return (
    <div className={styles.totals}>
      <Line
        first={<b>{t("filesTotal", { count: ready.length })}</b>}
        cells={{
          toImport: count(rows, language),
          existing: all("existing"),
          failed: all("failed"),
          amount: plain(sum),
        }}
      />
    </div>
  );
}

/** One uploaded file in a line, wherever it stands; opened, all that there is to know about it. */
export function FileRow({ id }: { id: string }) {
  const { t } = useTranslation(["imports", "common"]);
  const found = useImport(id);
  useNews(found.data?.import.status);
  if (!found.data)
    // One that is not there any more, or is somebody else's, has no place here.
    return found.isError ? null : (
      <li className={styles.file} aria-busy aria-label={t("common:loading")}>
        <span className="bar" style={{ width: 240 }} />
      </li>
    );
  return <Known one={found.data} at={found.dataUpdatedAt} />;
}

function Known({ one, at }: { one: One; at: number }) {
  const panel = useId();
  const [open, setOpen] = useState(false);
  const { import: of } = one;
  const cells = useCells(of);
  return (
    <li className={styles.file} aria-label={of.fileName}>
      <Line
        first={
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open}
            aria-controls={panel}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight aria-hidden size={16} strokeWidth={1.75} />
            <span>{of.fileName}</span>
          </button>
        }
        cells={cells}
        last={<Away of={of} />}
      />
      <div className={styles.below}>
        <Said one={one} at={at} />
      </div>
      <div id={panel} className={styles.details} hidden={!open}>
        {open && <Details one={one} />}
      </div>
    </li>
  );
}

/** What a line says of a file: what it was recognised as and what it brings. */
function useCells(of: Import): Cells {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { plain } = useMoney();
  const known = of.counts.transactions.all > 0;
  const { drivers, transactions } = of.counts;
  const fresh = drivers.new + drivers.unassigned;
  const total = newOf(of.totals);
  return {
    status: <ImportStatus of={of} />,
    ...(of.provider &&
      of.kind && {
        provider: <ProviderName code={of.provider} kind={of.kind} />,
      }),
    ...(of.periodTo && {
      period: (
        <span>
          {daySpan(of.periodFrom, of.periodTo, language)}
          {of.periodSource === "picker" && <small>{t("period_picker")}</small>}
        </span>
      ),
    }),
    ...(known && {
      drivers: (
        <span>
          {count(drivers.all, language)}
          {fresh > 0 && <small>{t("newPeople", { number: fresh })}</small>}
        </span>
      ),
      toImport: count(total.count, language),
      existing: count(transactions.existing, language),
      failed: <span data-bad={transactions.failed > 0 || undefined}>{count(transactions.failed, language)}</span>,
      amount: <b>{plain(total.sum)}</b>,
    }),
  };
}

/** What a file needs or came to, said without opening it. */
function Said({ one, at }: { one: One; at: number }) {
  const { import: of, progress } = one;
  if (isBusy(of.status)) return <Working key={of.status} of={of} progress={progress} at={at} />;
  switch (of.status) {
    case "preview":
      return <PreviewSaid one={one} />;
    case "success":
      return <Result of={of} />;
    case "failed":
    case "duplicated":
      return <Failure of={of} />;
    default:
      return null;
  }
}

function PreviewSaid({ one }: { one: One }) {
  const { import: of, preview } = one;
  const question = asks(preview) || restates(preview);
  return (
    <>
      <WhyItWaits one={one} line />
      <Warnings warnings={preview.warnings} lines={!question} />
      {question && <Answers key={of.readings} of={of} preview={preview} />}
    </>
  );
}

/** What confirming brought, and the way on. */
function Result({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  const { full } = useMoney();
  const { count: rows, sum } = newOf(of.totals);
  const { unassigned, replaced } = of.counts.transactions;
  return (
    <p className="imports-done" role="status">
      <b>{of.bookedAs === "detail" ? t("doneDetail") : t("done", { count: rows, sum: full(sum) })}</b>
      {replaced > 0 && ` ${t("count_replaced")}: ${replaced}.`}
      {unassigned > 0 && (
        <>
          {" "}
          {t("doneWaiting", { count: unassigned })} <Link to="/upload/drivers">{t("toUnmatched")}</Link>
        </>
      )}
    </p>
  );
}

function Details({ one: { import: of, preview } }: { one: One }) {
  const { t } = useTranslation("imports");
  const mayWrite = useSession().may("imports.write");
  if (of.status === "preview") return <PreviewDetails of={of} preview={preview} />;
  return (
    <>
      <Facts of={of} />
      {mayWrite && of.status === "failed" && <Reread key={of.readings} of={of} />}
      {of.status !== "failed" && of.status !== "duplicated" && !isBusy(of.status) && (
        <div className="imports-answers">
          <Link to={`/log/${of.id}`}>{t("openImport")}</Link>
          {of.status === "success" && <RemoveButton of={of} />}
        </div>
      )}
    </>
  );
}

/** Takes a file off the screen: discards what waits, stops what works, hides what has ended. */
function Away({ of }: { of: Import }) {
  const { t } = useTranslation(["imports", "faults"]);
  const mayWrite = useSession().may("imports.write");
  const cancel = useCancel();
  const waits = of.status === "preview";
  const ends = waits || of.status === "analyzing" || of.status === "running";
  if (of.status === "removing" || (ends && !mayWrite)) return null;
  const name = { file: of.fileName };
  return (
    <>
      <Button
        kind="text"
        size="small"
        icon={<X aria-hidden size={16} strokeWidth={1.75} />}
        loading={cancel.isPending}
        aria-label={ends ? t(waits ? "discardNamed" : "stopNamed", name) : t("hideNamed", name)}
        // asking for the file again may take this row away before the answer comes
        onClick={() =>
          ends
            ? void cancel.mutateAsync(of.id).then(
                () => putAway(of.id),
                () => undefined,
              )
            : putAway(of.id)
        }
      />
      {cancel.isError && (
        <Notice tone="danger">
          {t("discardFailed", name)} {t(`faults:${cancel.error.code}`, { replace: cancel.error.params })}
        </Notice>
      )}
    </>
  );
}

/** What a job did in the background is news for other lists too. */
function useNews(status: Import["status"] | undefined) {
  const cache = useQueryClient();
  const tell = useEffectEvent(() => {
    if (status && !isBusy(status))
      void cache.invalidateQueries({
        predicate: ({ queryKey }) =>
          String(queryKey[0]) !== "/api/imports/{id}" && TOUCHED.some((path) => String(queryKey[0]).startsWith(path)),
      });
  });
  useEffect(() => tell(), [status]);
}
