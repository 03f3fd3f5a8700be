import { UsersRound } from "lucide-react";
import { useDeferredValue } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { SearchField } from "../../components/search-field";
import {
  type Cell,
  type DocumentType,
  type MatrixFilter,
  type Row,
  STANDINGS,
  useMatrix,
} from "../../driver-documents/calls";
import { useTypeName } from "../../driver-documents/names";
import { DocumentState } from "../../driver-documents/state";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Column, ListTable } from "../../kit/list-table";
import { Pages } from "../../kit/pages";
import styles from "./documents.module.css";

/** How many drivers the server gives at once. */
const SIZE = 50;

/** The filter that an address holds. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const read = (name: string) => params.get(name) ?? "";
  const state = STANDINGS.find((one) => one === read("state"));
  const filter: MatrixFilter = {
    ...(read("q") && { query: read("q").slice(0, 100) }),
    ...(state && { state }),
    ...(read("type") && { type: read("type") }),
    page: Math.max(1, Number(read("page")) || 1),
  };
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (name !== "page") next.delete("page");
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: name === "q" });
  };
  const filtered = ["q", "state", "type"].some((name) => params.has(name));
  return { filter, filtered, set, clear: () => setParams({}) };
}

/** Drivers against the documents that are asked for. */
export function Matrix() {
  const { t } = useTranslation("driverDocuments");
  const { filter, filtered, set, clear } = useFilter();
  const found = useMatrix(useDeferredValue(filter));
  const nameOf = useTypeName();
  const { types = [], rows, total = 0, counts } = found.data ?? {};
  const columns = useColumns(types);
  const { page = 1 } = filter;
  return (
    <>
      <form className={styles.filters} aria-label={t("filters")} onSubmit={(event) => event.preventDefault()}>
        <SearchField label={t("searchDriver")} value={filter.query ?? ""} onChange={(value) => set("q", value)} />
        <label>
          {t("state")}
          <select value={filter.state ?? ""} onChange={({ target }) => set("state", target.value)}>
            <option value="">{t("all")}</option>
            {STANDINGS.map((one) => (
              <option key={one} value={one}>
                {t("stateCount", { state: t(`state_${one}`), number: counts?.[one] ?? 0 })}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("document")}
          <select value={filter.type ?? ""} onChange={({ target }) => set("type", target.value)}>
            <option value="">{t("all")}</option>
            {types.map((type) => (
              <option key={type.id} value={type.id}>
                {nameOf(type)}
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
          <FirstUse icon={UsersRound} title={t("noDriversTitle")} body={t("noDriversBody")} />
        )
      ) : (
        <ListTable
          caption={t("caption")}
          columns={columns}
          rows={rows}
          rowKey={({ driverUUID }) => driverUUID}
          sort={{ by: "driver", descending: false }}
          onSort={() => undefined}
          reloading={found.isPlaceholderData}
        />
      )}
      <Pages page={page} last={total <= page * SIZE} onPage={(next) => set("page", String(next))} />
    </>
  );
}

/** A column for the driver, one for each document that all need, and one for the rest. */
function useColumns(types: readonly DocumentType[]): Column<Row>[] {
  const { t } = useTranslation("driverDocuments");
  const nameOf = useTypeName();
  const required = types.filter((type) => type.required);
  const typeOf = (id: string) => types.find((one) => one.id === id);
  return [
    {
      key: "driver",
      head: t("driver"),
      skeleton: 140,
      cell: ({ driverUUID, firstName, lastName, linked }) => (
        <span className={styles.two}>
          <Link to={`/driver-documents/driver/${driverUUID}`}>
            {lastName} {firstName}
          </Link>
          {!linked && <small>{t("noAccount")}</small>}
        </span>
      ),
    },
    ...required.map((type) => ({
      key: type.id,
      head: nameOf(type),
      labelled: true,
      skeleton: 100,
      cell: ({ cells, driverUUID }: Row) => (
        <Cells
          of={cells.filter(({ typeId }) => typeId === type.id)}
          driver={driverUUID}
          nameOf={(one) => one.vehicle}
        />
      ),
    })),
    {
      key: "others",
      head: t("others"),
      labelled: true,
      skeleton: 100,
      cell: ({ cells, driverUUID }) => (
        <Cells
          of={cells.filter(({ typeId }) => !required.some(({ id }) => id === typeId))}
          driver={driverUUID}
          nameOf={({ typeId, vehicle }) => nameOf(typeOf(typeId), vehicle)}
        />
      ),
    },
  ];
}

/** Documents in one cell: where they stand, how long they hold, and the way to them. */
function Cells(props: { of: readonly Cell[]; driver: string; nameOf: (cell: Cell) => string }) {
  const { t } = useTranslation("driverDocuments");
  const language = useLanguage();
  if (props.of.length === 0) return <span aria-hidden>–</span>;
  return (
    <span className={styles.cells}>
      {props.of.map((cell) => {
        const name = props.nameOf(cell);
        return (
          <Link
            key={`${cell.typeId} ${cell.vehicle}`}
            to={cell.documentId ? `/driver-documents/${cell.documentId}` : `/driver-documents/driver/${props.driver}`}
          >
            {name && <small>{name}</small>}
            <DocumentState of={cell.state} />
            {cell.validTo && <small>{t("validUntil", { day: daySpan(cell.validTo, cell.validTo, language) })}</small>}
          </Link>
        );
      })}
    </span>
  );
}
