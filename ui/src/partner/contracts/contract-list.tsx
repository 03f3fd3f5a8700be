import { FilePenLine, PenLine } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { day, daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Column, ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import { useConfig } from "../../session/config";
import { type Contract, type ContractFilter, GROUPS, SIZE, useContracts } from "./calls";
import { CountersignDialog } from "./countersign-dialog";
import { ContractState, waits } from "./state";
import { Tabs } from "./tabs";
import styles from "./contracts.module.css";

/** The most that are countersigned at once. */
const MOST = 100;

/** The filter that an address holds. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const query = (params.get("q") ?? "").slice(0, 100);
  const state = GROUPS.find((one) => one === params.get("state"));
  const filter: ContractFilter = {
    ...(query && { query }),
    ...(state && { state }),
    page: Math.max(1, Number(params.get("page")) || 1),
  };
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (name !== "page") next.delete("page");
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: name === "q" });
  };
  return { filter, filtered: query !== "" || state !== undefined, set, clear: () => setParams({}) };
}

/** All contracts: who has signed, and what waits for the partner. Several are countersigned together. */
export function ContractList() {
  const { t } = useTranslation(["contractList", "documents"]);
  const { filter, filtered, set, clear } = useFilter();
  const found = useContracts(useDeferredValue(filter));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [signing, setSigning] = useState<readonly string[]>();
  const { contracts, total = 0, counts = {} } = found.data ?? {};
  const able = (contracts ?? []).filter(waits).map(({ contractId }) => contractId);
  const here = able.filter((id) => chosen.has(id));
  const toggle = (ids: readonly string[], on: boolean) =>
    setChosen((now) => new Set(on ? [...now, ...ids] : [...now].filter((id) => !ids.includes(id))));
  const columns = useColumns(
    (id) => chosen.has(id),
    (id, on) => toggle([id], on),
    able.length > 0 && (
      <input
        type="checkbox"
        className={styles.tick}
        aria-label={t("chooseAll")}
        checked={here.length === able.length}
        onChange={({ target }) => toggle(able, target.checked)}
      />
    ),
  );
  const { page = 1 } = filter;
  return (
    <>
      <PageHeader
        title={t("documents:contracts")}
        actions={
          <Button
            kind="primary"
            icon={<PenLine aria-hidden size={16} strokeWidth={1.75} />}
            disabled={here.length === 0}
            onClick={() => setSigning(here.slice(0, MOST))}
          >
            {t("countersign", { number: here.length })}
          </Button>
        }
      />
      <Tabs at="list" />
      <form className={styles.filters} aria-label={t("filters")} onSubmit={(event) => event.preventDefault()}>
        <SearchField label={t("searchDriver")} value={filter.query ?? ""} onChange={(value) => set("q", value)} />
        <label>
          {t("state")}
          <select value={filter.state ?? ""} onChange={({ target }) => set("state", target.value)}>
            <option value="">{t("all")}</option>
            {GROUPS.map((one) => (
              <option key={one} value={one}>
                {t("stateCount", { state: t(`group_${one}`), number: counts[one] ?? 0 })}
              </option>
            ))}
          </select>
        </label>
      </form>
      {found.isError && !found.data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      ) : found.data && total === 0 ? (
        filtered ? (
          <NoMatch title={t("noMatchTitle")} body={t("noMatchBody")} clear={t("clearFilters")} onClear={clear} />
        ) : (
          <FirstUse icon={FilePenLine} title={t("noneTitle")} body={t("noneBody")} />
        )
      ) : (
        <ListTable
          caption={t("caption")}
          columns={columns}
          rows={contracts}
          rowKey={({ contractId }) => contractId}
          sort={{ by: "driver", descending: false }}
          onSort={() => undefined}
          reloading={found.isPlaceholderData}
        />
      )}
      <Pages page={page} last={total <= page * SIZE} onPage={(next) => set("page", String(next))} />
      {signing && (
        <CountersignDialog
          ids={signing}
          onClose={() => {
            setSigning(undefined);
            setChosen(new Set());
          }}
        />
      )}
    </>
  );
}

function useColumns(
  isChosen: (id: string) => boolean,
  onToggle: (id: string, on: boolean) => void,
  all: false | React.JSX.Element,
): Column<Contract>[] {
  const { t } = useTranslation("contractList");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const on = (instant: string | null | undefined) => (instant ? day(instant, language, timeZone) : "–");
  return [
    {
      key: "tick",
      head: t("choose"),
      ...(all && { headCell: all }),
      skeleton: 20,
      cell: (one) =>
        waits(one) && (
          <input
            type="checkbox"
            className={styles.tick}
            aria-label={t("chooseOne", { name: one.driverName })}
            checked={isChosen(one.contractId)}
            onChange={({ target }) => onToggle(one.contractId, target.checked)}
          />
        ),
    },
    {
      key: "driver",
      head: t("driver"),
      below: t("number"),
      skeleton: 160,
      cell: ({ driverUUID, contractId, driverName, number }) => (
        <span className={styles.two}>
          <Link to={`/contracts/${driverUUID}/${contractId}`}>{driverName}</Link>
          {number && <small>{number}</small>}
        </span>
      ),
    },
    {
      key: "kinds",
      head: t("kinds"),
      below: t("documents"),
      skeleton: 160,
      cell: ({ kinds, documents }) => (
        <span className={styles.two}>
          <span>{kinds.map((kind) => t(`kind_${kind as "employment"}`)).join(", ")}</span>
          <small>{t("documentCount", { count: documents.length })}</small>
        </span>
      ),
    },
    {
      key: "term",
      head: t("term"),
      labelled: true,
      skeleton: 120,
      cell: ({ from, to }) => (to ? daySpan(from, to, language) : t("since", { day: daySpan(from, from, language) })),
    },
    { key: "signed", head: t("signed"), labelled: true, skeleton: 80, cell: ({ signedAt }) => on(signedAt) },
    {
      key: "countersigned",
      head: t("countersigned"),
      labelled: true,
      skeleton: 80,
      cell: ({ countersignedAt }) => on(countersignedAt),
    },
    { key: "state", head: t("state"), skeleton: 120, cell: ({ state }) => <ContractState of={state} /> },
  ];
}
