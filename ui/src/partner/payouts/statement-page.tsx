import { FileText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import type { Problem } from "../../api/problem";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import { DropArea } from "../../components/drop-area";
import { ErrorState } from "../../components/error-state";
import { type Column, ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { day, moment } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { Back } from "./names";
import { OutcomeList } from "./outcomes";
import {
  type Outcome,
  type Statement,
  type StatementFile,
  type StatementPlan,
  statementFile,
  useConfirmStatement,
  useStatementPlan,
  useStatements,
} from "./queries";
import "./payouts.css";

/** A statement of the bank: what it says of transfers, until somebody confirms it. */
export default function StatementPage() {
  const { t } = useTranslation("payouts");
  const [file, setFile] = useState<StatementFile>();
  const [done, setDone] = useState<{ paid: number; returned: number }>();
  const plan = useStatementPlan(file);
  const take = async ([chosen]: readonly File[]) => {
    setDone(undefined);
    setFile(chosen && (await statementFile(chosen)));
  };
  return (
    <>
      <Back />
      <PageHeader title={t("statement")} />
      {!plan.data && (
        <DropArea
          title={t("statementDrop")}
          choose={t("statementChoose")}
          note={t("statementNote")}
          accept=".sta,.mt940,.940,.txt,.xml,.camt"
          onFiles={(files) => void take(files)}
        />
      )}
      <div className="payouts-one">
        {done && (
          <Notice tone="info" action={<Link to="/payouts">{t("backToAll")}</Link>}>
            {t("statementDone", { paid: done.paid, returned: done.returned })}
          </Notice>
        )}
        {plan.isError && <Refused problem={plan.error} name={file?.name ?? ""} />}
        {file && plan.isPending && (
          <div role="status" aria-busy aria-label={t("statementReading")} className="payouts-wait">
            <span className="bar" />
          </div>
        )}
      </div>
      {file && plan.data ? (
        <Known
          key={plan.data.token}
          file={file}
          plan={plan.data}
          onLeave={() => setFile(undefined)}
          onDone={(result) => {
            setFile(undefined);
            setDone(result);
          }}
          onChanged={() => void plan.refetch()}
        />
      ) : (
        <Before />
      )}
    </>
  );
}

/** Why a file was not taken, and where it stopped being a statement. */
function Refused({ problem, name }: { problem: Problem; name: string }) {
  const { t } = useTranslation(["payouts", "faults"]);
  const { why, place = "" } = problem.params as { why?: string; place?: string };
  const [, line, rest = ""] = /^line (\d+)(.*)$/.exec(place) ?? [];
  const where = line
    ? t("statementLine", { line }) + rest
    : place.replace("the file", t("statementFile")).replace("the XML", "XML");
  return (
    <Notice tone="danger">
      <b>{name}</b>: {t(`faults:${problem.code}`, { replace: problem.params })}
      {why && <> {t(`statement_${why}` as "statement_malformed", { place: where })}</>}
    </Notice>
  );
}

interface KnownProps {
  file: StatementFile;
  plan: StatementPlan;
  onLeave: () => void;
  onDone: (result: { paid: number; returned: number }) => void;
  onChanged: () => void;
}

const placeOf = ({ batch, place }: Pick<Outcome, "batch" | "place">) => `${batch}-${place}`;

function Known({ file, plan, onLeave, onDone, onChanged }: KnownProps) {
  const { t } = useTranslation(["payouts", "faults", "common"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { full } = useAmounts();
  const confirm = useConfirmStatement();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const of = (outcome: string) => plan.outcomes.filter((one) => one.outcome === outcome && !one.cancelled);
  const taken = (outcome: string) => of(outcome).filter((one) => !left.has(placeOf(one)));
  const [paid, returned] = [taken("paid"), taken("returned")];
  const sum = paid.reduce((total, { amount }) => total + amount, 0);
  const toggle = (one: Outcome) =>
    setLeft((former) => {
      const next = new Set(former);
      if (!next.delete(placeOf(one))) next.add(placeOf(one));
      return next;
    });
  const submit = async () => {
    const except = plan.outcomes.filter((one) => left.has(placeOf(one))).map(({ batch, place }) => ({ batch, place }));
    try {
      onDone(await confirm.mutateAsync({ ...file, token: plan.token, except }));
    } catch {
      onChanged(); // what is shown is what holds now; why is said below
    }
  };
  const days = [plan.firstDay, plan.lastDay].map((one) => one && day(`${one}T12:00:00Z`, language, "UTC"));
  const cancelled = plan.outcomes.filter((one) => one.cancelled);
  const something = of("paid").length + of("returned").length > 0;
  const lists = [
    { key: "returned" as const, outcomes: of("returned") },
    { key: "paid" as const, outcomes: of("paid") },
    { key: "unclear" as const, outcomes: of("unclear") },
  ];
  return (
    <div className="payouts-one">
      <dl className="payouts-facts">
        <div>
          <dt>{t("statementFile")}</dt>
          <dd>{file.name}</dd>
        </div>
        <div>
          <dt>{t("account")}</dt>
          <dd>{plan.accounts.join(", ")}</dd>
        </div>
        <div>
          <dt>{t("statementDays")}</dt>
          <dd>{days[0] === days[1] ? days[0] : days.join(" – ")}</dd>
        </div>
        <div>
          <dt>{t("statementEntries")}</dt>
          <dd>{count(plan.entries, language)}</dd>
        </div>
      </dl>
      {plan.confirmedAt && (
        <Notice tone="info">
          {t("statementBefore", { who: plan.confirmedBy, at: moment(plan.confirmedAt, language, timeZone) })}
        </Notice>
      )}
      {cancelled.length > 0 && (
        <Notice tone="danger">
          {t("statementCancelled", {
            list: cancelled.map((one) => `${one.lastName} ${one.firstName}, ${full(one.amount)}`).join("; "),
          })}
        </Notice>
      )}
      {lists.map(
        ({ key, outcomes }) =>
          outcomes.length > 0 && (
            <OutcomeList
              key={key}
              kind={key}
              outcomes={outcomes}
              taken={(one) => !left.has(placeOf(one))}
              onToggle={toggle}
            />
          ),
      )}
      {plan.known > 0 && <p className="payouts-aside">{t("statementKnown", { count: plan.known })}</p>}
      {plan.missing > 0 && <p className="payouts-aside">{t("statementMissing", { count: plan.missing })}</p>}
      <div className="payouts-foot">
        {confirm.error && (
          <Notice tone="danger">{t(`faults:${confirm.error.code}`, { replace: confirm.error.params })}</Notice>
        )}
        <p>{t(something ? "statementPromise" : "statementNothing")}</p>
        <Button onClick={onLeave}>{t("statementOther")}</Button>
        {something && (
          <Button
            kind="primary"
            loading={confirm.isPending}
            disabled={paid.length + returned.length === 0}
            onClick={() => void submit()}
          >
            {t("statementConfirm", { paid: paid.length, sum: full(sum), returned: returned.length })}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The statements that were confirmed. */
function Before() {
  const { t } = useTranslation("payouts");
  const found = useStatements();
  const columns = useStatementColumns();
  if (found.isError)
    return (
      <ErrorState
        title={t("loadFailed")}
        undone={t("unchanged")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (found.data?.items.length === 0) return null;
  return (
    <ListTable
      caption={t("statementsBefore")}
      columns={columns}
      rows={found.data?.items}
      rowKey={({ id }) => id}
      sort={{ by: "at", descending: true }}
      onSort={() => undefined}
      reloading={false}
    />
  );
}

function useStatementColumns(): Column<Statement>[] {
  const { t } = useTranslation("payouts");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const written = (one: string) => day(`${one}T12:00:00Z`, language, "UTC");
  return [
    {
      key: "file",
      head: t("statementFile"),
      skeleton: 160,
      cell: ({ fileName }) => (
        <span className="payouts-file">
          <FileText aria-hidden size={16} strokeWidth={1.75} />
          {fileName}
        </span>
      ),
    },
    {
      key: "days",
      head: t("statementDays"),
      skeleton: 120,
      labelled: true,
      cell: ({ firstDay, lastDay }) =>
        firstDay === lastDay ? written(firstDay) : `${written(firstDay)} – ${written(lastDay)}`,
    },
    {
      key: "paid",
      head: t("outcome_paid"),
      kind: "number",
      skeleton: 30,
      labelled: true,
      cell: ({ paid }) => count(paid, language),
    },
    {
      key: "returned",
      head: t("outcome_returned"),
      kind: "number",
      skeleton: 30,
      labelled: true,
      cell: ({ returned }) => count(returned, language),
    },
    {
      key: "at",
      head: t("statementConfirmed"),
      skeleton: 130,
      cell: ({ confirmedAt, confirmedBy }) => (
        <span className="payouts-made">
          {confirmedBy}
          <small>{moment(confirmedAt, language, timeZone)}</small>
        </span>
      ),
    },
  ];
}
