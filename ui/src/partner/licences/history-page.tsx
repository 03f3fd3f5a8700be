import { ReceiptText } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { Problem } from "../../api/problem";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ExportMenu } from "../../components/export-menu";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useScreenName } from "../../components/screen-name";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import { useAmounts } from "../../session/amounts";
import { useHistoryColumns } from "./columns";
import { PartsNav } from "./parts-nav";
import { exported, type Filter, type OrderState, type Totals, useHistory } from "./queries";
import styles from "./licences.module.css";

const STATES: readonly OrderState[] = ["success", "started", "failed", "abandoned", "review", "refunded", "draft"];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filter in the address, and how it is changed. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const from = params.get("from") ?? "";
  const to = params.get("to") ?? "";
  const state = STATES.filter((one) => params.getAll("state").includes(one));
  const filter: Filter = {
    ...(DAY.test(from) && { from }),
    ...(DAY.test(to) && { to }),
    ...(state.length > 0 && { state }),
  };
  const set = (name: "from" | "to" | "state" | "page", values: readonly string[]) => {
    const next = new URLSearchParams(params);
    if (name !== "page") next.delete("page");
    next.delete(name);
    for (const value of values) if (value) next.append(name, value);
    setParams(next, { replace: true });
  };
  const page = Math.max(1, Number(params.get("page")) || 1);
  return { filter, set, page, clear: () => setParams({}, { replace: true }) };
}

/** Everything that was bought, with its invoices. */
export default function HistoryPage() {
  const { t } = useTranslation(["licences", "faults"]);
  const language = useLanguage();
  const { filter, set, page, clear } = useFilter();
  const found = useHistory(filter, page);
  const columns = useHistoryColumns();
  const [problem, setProblem] = useState<Problem>();
  const filtered = Object.keys(filter).length > 0;
  const none = found.data?.total === 0;
  useScreenName(t("history"));
  return (
    <>
      <PageHeader
        title={t("history")}
        meta={<PartsNav />}
        actions={
          found.data &&
          !none && (
            <ExportMenu
              texts={{ export: t("export"), exporting: t("exporting"), csv: t("csv"), xlsx: t("xlsx") }}
              triggerClass="button button-default button-middle"
              make={(format) => exported(filter, format, language)}
              onProblem={setProblem}
            />
          )
        }
      />
      <Filters filter={filter} set={set} />
      {problem && (
        <div className={styles.inset}>
          <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>
        </div>
      )}
      {found.isError && !found.data ? (
        <ErrorState
          title={t("historyFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : none && filtered ? (
        <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clear")} onClear={clear} />
      ) : none ? (
        <FirstUse
          icon={ReceiptText}
          title={t("noneTitle")}
          body={t("noneBody")}
          action={<Link to="/licenses/purchase">{t("buy")}</Link>}
        />
      ) : (
        <>
          {found.data && <Sums totals={found.data} />}
          <ListTable
            caption={t("caption")}
            columns={columns}
            rows={found.data?.items}
            rowKey={({ id }) => id}
            sort={{ by: "number", descending: true }}
            onSort={() => undefined}
            reloading={found.isPlaceholderData}
          />
        </>
      )}
      <Pages page={page} last={found.last} onPage={(next) => set("page", [String(next)])} />
    </>
  );
}

type FiltersProps = Pick<ReturnType<typeof useFilter>, "filter" | "set">;

function Filters({ filter, set }: FiltersProps) {
  const { t } = useTranslation("licences");
  const chosen = filter.state ?? [];
  return (
    <div className={styles.filters}>
      {(["from", "to"] as const).map((name) => (
        <label key={name}>
          {t(name)}
          <input type="date" value={filter[name] ?? ""} onChange={({ target }) => set(name, [target.value])} />
        </label>
      ))}
      <div role="group" aria-label={t("states")} className={styles.chips}>
        {STATES.map((state) => (
          <Button
            key={state}
            aria-pressed={chosen.includes(state)}
            onClick={() =>
              set("state", chosen.includes(state) ? chosen.filter((one) => one !== state) : [...chosen, state])
            }
          >
            {t(`state_${state}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** The sums of what was paid, of the whole filter. */
function Sums({ totals }: { totals: Totals }) {
  const { t } = useTranslation("licences");
  const language = useLanguage();
  const { full } = useAmounts();
  const sums = [
    { label: t("totalOrders"), value: count(totals.total, language) },
    { label: t("totalUnits"), value: count(totals.units, language) },
    { label: t("net"), value: full(totals.net) },
    { label: t("vatAll"), value: full(totals.vat) },
    { label: t("grossAll"), value: full(totals.gross) },
    ...(totals.refunded > 0 ? [{ label: t("totalRefunded"), value: full(-totals.refunded) }] : []),
  ];
  return (
    <dl className={styles.sums} aria-label={t("totals")}>
      {sums.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
