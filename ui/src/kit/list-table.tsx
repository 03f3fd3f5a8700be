import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type FocusEvent, type ReactNode, useEffect, useRef } from "react";
import "./list-table.css";

/** The order of a list: a column, and whether it runs backwards. */
export interface Sort<Key extends string = string> {
  by: Key;
  descending: boolean;
}

export interface Column<Row, Key extends string = string> {
  key: Key;
  head: string;
  /** The second line of the head: what stands below the first in each cell. */
  below?: string;
  /** What stands in the head instead of its words. */
  headCell?: ReactNode;
  /** On a phone, where heads are not seen, this one stands before its value. */
  labelled?: boolean;
  cell: (row: Row) => ReactNode;
  /** What stands in the cell while rows are loading: the width of a typical text, in px. */
  skeleton: number;
  sortable?: boolean;
  /** Numbers stand right, words left; actions close the row and need no visible head. */
  kind?: "words" | "number" | "actions";
}

interface ListTableProps<Row, Key extends string> {
  caption: string;
  columns: readonly Column<Row, Key>[];
  /** Undefined while the first answer is on its way. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  sort: Sort<Key>;
  onSort: (sort: Sort<Key>) => void;
  /** Old rows stay, dimmed, while newer ones are on their way. */
  reloading: boolean;
  /** The key of the row that the page was opened for: it is marked, and scrolled to once it is there. */
  current?: string;
}

const SKELETON_ROWS = 8;

/**
 * A list as a table; on a phone each row becomes a card and nothing scrolls sideways. Roles are
 * spelled out because browsers drop a table's meaning once its display changes.
 */
export function ListTable<Row, Key extends string>(props: ListTableProps<Row, Key>) {
  const { caption, columns, rows, rowKey, reloading, current } = props;
  const body = useKeptFocus();
  const found = rows?.some((row) => rowKey(row) === current) ?? false;
  const table = body.ref;
  useEffect(() => {
    if (found) table.current?.querySelector("tr[aria-current]")?.scrollIntoView({ block: "center" });
  }, [found, current, table]);
  return (
    <table
      role="table"
      className="list-table"
      aria-busy={rows === undefined || reloading}
      data-reloading={reloading || undefined}
    >
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Head key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" {...body}>
        {rows
          ? rows.map((row) => (
              <tr
                role="row"
                key={rowKey(row)}
                {...(reloading && { "aria-disabled": true })}
                {...(rowKey(row) === current && { "aria-current": true })}
              >
                {columns.map((column) => (
                  <td
                    role="cell"
                    key={column.key}
                    data-kind={column.kind ?? "words"}
                    {...(column.labelled && { "data-head": column.head })}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))
          : Array.from({ length: SKELETON_ROWS }, (_, index) => (
              <SkeletonRow key={index} columns={columns} index={index} />
            ))}
      </tbody>
    </table>
  );
}

// A row that disappears under the focus hands it to the row that takes its place.
function useKeptFocus() {
  const ref = useRef<HTMLTableSectionElement>(null);
  const at = useRef<number>(undefined);
  useEffect(() => {
    if (at.current === undefined || document.activeElement !== document.body) return;
    const rows = [...(ref.current?.children ?? [])];
    rows[Math.min(at.current, rows.length - 1)]?.querySelector<HTMLElement>("a, button")?.focus();
  });
  return {
    ref,
    onFocus: (event: FocusEvent) => {
      const row = event.target.closest("tr");
      at.current = row ? [...event.currentTarget.children].indexOf(row) : undefined;
    },
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget) at.current = undefined;
    },
  };
}

interface HeadProps<Row, Key extends string> {
  column: Column<Row, Key>;
  sort: Sort<Key>;
  onSort: (sort: Sort<Key>) => void;
}

function Head<Row, Key extends string>({ column, sort, onSort }: HeadProps<Row, Key>) {
  const kind = column.kind ?? "words";
  if (!column.sortable)
    return (
      <th role="columnheader" scope="col" data-kind={kind}>
        {column.headCell ?? <span className={kind === "actions" ? "sr-only" : ""}>{column.head}</span>}
        {column.below && <span className="list-table-below">{column.below}</span>}
      </th>
    );
  const active = sort.by === column.key;
  const Arrow = active ? (sort.descending ? ArrowDown : ArrowUp) : ChevronsUpDown;
  return (
    <th
      role="columnheader"
      scope="col"
      data-kind={kind}
      aria-sort={active ? (sort.descending ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        className="list-table-sort"
        onClick={() => onSort({ by: column.key, descending: active && !sort.descending })}
      >
        {column.head}
        <Arrow aria-hidden size={14} strokeWidth={active ? 2 : 1.75} />
      </button>
      {column.below && <span className="list-table-below">{column.below}</span>}
    </th>
  );
}

// Bars of one width would look like a pattern, not like text.
const SHARES = [1, 0.7, 0.85, 0.6, 0.95];

function SkeletonRow<Row, Key extends string>({
  columns,
  index,
}: {
  columns: readonly Column<Row, Key>[];
  index: number;
}) {
  return (
    <tr role="row" className="list-table-skeleton">
      {columns.map((column) => (
        <td role="cell" key={column.key} data-kind={column.kind ?? "words"}>
          <span className="bar" style={{ width: column.skeleton * (SHARES[index % SHARES.length] ?? 1) }} />
        </td>
      ))}
    </tr>
  );
}
