import { Ellipsis, FileText, ReceiptText, UserRound, Wallet } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { useSession } from "../../session/session";
import { useMedia } from "../../browser/media";
import type { Column } from "../../kit/list-table";
import { Menu, MenuItem } from "../../components/menu";
import { useAmounts } from "../../session/amounts";
import { Amount } from "./amounts";
import { type App, type Pending, useProviderName } from "./queries";
import { Remarks } from "./remarks";
import type { Selection } from "./selection";
import { Tick, TickAll } from "./tick";

/** Below this width a column for each app would not fit. */
const TIGHT = "(width < 1280px)";
const APPS_SHOWN = 4;

const nameOf = ({ lastName, firstName }: Pending) => `${lastName} ${firstName}`;

interface Doing {
  period: string;
  providers: readonly string[];
  /** Missing for whom nothing can be settled. */
  selection: Selection | undefined;
  settle: (row: Pending) => void;
}

/** Who, what each app brought with the cash below it, what is taken off, and what is left. */
export function usePendingColumns({ period, providers, selection, settle }: Doing): Column<Pending>[] {
  const { t } = useTranslation("settlements");
  const { sign } = useAmounts();
  const tight = useMedia(TIGHT);
  const number = { kind: "number", skeleton: 60 } as const;
  return [
    ...(selection
      ? [
          {
            key: "select",
            head: t("selectPage"),
            headCell: <TickAll selection={selection} />,
            skeleton: 18,
            cell: (row: Pending) => (
              <Tick
                id={row.driverId}
                name={nameOf(row)}
                selection={selection}
                refused={row.refusal ? t(`remark_${row.refusal}`) : undefined}
              />
            ),
          },
        ]
      : []),
    {
      key: "name",
      head: t("driver"),
      below: t("schema"),
      skeleton: 150,
      sortable: true,
      cell: (row) => <Who row={row} period={period} />,
    },
    ...useAppColumns(tight ? [] : providers),
    ...(tight || providers.length === 0
      ? [
          {
            ...number,
            key: "revenue",
            head: t("revenue"),
            below: t("cashBelow"),
            sortable: true,
            labelled: true,
            cell: known((row: Pending) => <Pair first={row.revenue} second={-row.cash} />),
          },
        ]
      : []),
    { ...number, key: "fees", head: t("fees"), labelled: true, cell: known(({ fees }) => <Amount minor={-fees} />) },
    {
      ...number,
      key: "costs",
      head: t("costs"),
      labelled: true,
      cell: known(({ costs }) => <Amount minor={-costs} />),
    },
    {
      ...number,
      key: "previous",
      head: t("previous"),
      labelled: true,
      cell: known(({ previous }) => <Amount minor={previous} />),
    },
    {
      ...number,
      key: "payout",
      head: t("due") + sign.replace(/^\s/, ", "),
      skeleton: 80,
      sortable: true,
      cell: known((row) => <Due row={row} />),
    },
    { key: "remarks", head: t("remarks"), skeleton: 80, cell: (row) => <Remarks row={row} /> },
    {
      key: "actions",
      head: t("actions"),
      kind: "actions",
      skeleton: 20,
      cell: (row) => <RowMenu row={row} period={period} settle={selection && !row.refusal ? settle : undefined} />,
    },
  ];
}

function Who({ row, period }: { row: Pending; period: string }) {
  return (
    <span className="settlements-who">
      <Link to={`/transactions/summary/${row.driverId}?period=${period}`}>{nameOf(row)}</Link>
      <span>{row.schemaName}</span>
    </span>
  );
}

/** One column for each app; where there are many, the last holds the rest of them. */
function useAppColumns(providers: readonly string[]): Column<Pending>[] {
  const { t } = useTranslation("settlements");
  const named = useProviderName();
  const many = providers.length > APPS_SHOWN;
  const own = many ? providers.slice(0, APPS_SHOWN - 1) : providers;
  const column = (key: string, head: string, of: (app: App) => boolean): Column<Pending> => ({
    key,
    head,
    below: t("cashBelow"),
    kind: "number",
    skeleton: 60,
    labelled: true,
    cell: ({ apps }) => {
      const mine = apps.filter(of);
      if (mine.length === 0) return <NoData />;
      const sum = (pick: (app: App) => number) => mine.reduce((total, app) => total + pick(app), 0);
      return <Pair first={sum(({ income }) => income)} second={-sum(({ cashCollected }) => cashCollected)} />;
    },
  });
  const columns = own.map((code) => column(`app-${code}`, named(code), ({ provider }) => provider === code));
  if (many) columns.push(column("others", t("otherApps"), ({ provider }) => !own.includes(provider)));
  return columns;
}

function NoData() {
  const { t } = useTranslation("settlements");
  return <span className="settlements-zero">{t("noData")}</span>;
}

/** A cell for figures, where there are any: what could not be computed has none, and zero would be one. */
const known = (cell: (row: Pending) => ReactNode) => (row: Pending) =>
  row.refusal === "uncomputed" ? <NoData /> : cell(row);

/** Two amounts, the second below the first. */
function Pair({ first, second }: { first: number; second: number }) {
  const { t } = useTranslation("settlements");
  return (
    <span className="settlements-pair">
      <Amount minor={first} />
      <span>
        <small>{t("cashBelow")}</small> <Amount minor={second} />
      </span>
    </span>
  );
}

function Due({ row }: { row: Pending }) {
  const { t } = useTranslation("settlements");
  const { plain } = useAmounts();
  if (row.due >= 0) return <b className="settlements-due">{plain(row.payout)}</b>;
  return (
    <b className="settlements-due settlements-debt">
      {plain(row.due)}
      <small>{t("debt")}</small>
    </b>
  );
}

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

interface RowMenuProps {
  row: Pending;
  period: string;
  settle: ((row: Pending) => void) | undefined;
}

function RowMenu({ row, period, settle }: RowMenuProps) {
  const { t } = useTranslation("settlements");
  const { full } = useAmounts();
  const navigate = useNavigate();
  const { may } = useSession();
  return (
    <Menu
      label={t("actionsOf", { name: nameOf(row) })}
      trigger={<Ellipsis {...ICON} />}
      triggerClass="settlements-more"
      placement="below"
      align="end"
    >
      {settle && (
        <MenuItem icon={Wallet} onSelect={() => settle(row)}>
          {t("settleOne", { sum: full(row.payout) })}
        </MenuItem>
      )}
      <MenuItem
        icon={FileText}
        onSelect={() => void navigate(`/transactions/summary/${row.driverId}?period=${period}`)}
      >
        {t("explain")}
      </MenuItem>
      {may("transactions.read") && (
        <MenuItem icon={ReceiptText} onSelect={() => void navigate(`/transactions/details/${row.driverId}`)}>
          {t("transactions")}
        </MenuItem>
      )}
      {may("drivers.read") && (
        <MenuItem icon={UserRound} onSelect={() => void navigate(`/drivers/${row.driverId}`)}>
          {t("driverCard")}
        </MenuItem>
      )}
    </Menu>
  );
}
