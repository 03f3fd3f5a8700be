import {
  ArrowRightToLine,
  Ban,
  Check,
  CircleCheck,
  CornerDownRight,
  Ellipsis,
  Eye,
  FilePlus,
  FileText,
  Layers,
  Mail,
  MailCheck,
  OctagonAlert,
  Undo2,
} from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { useConfig } from "../../session/config";
import { useListMark } from "../../kit/list-place";
import type { Column } from "../../kit/list-table";
import { Menu, MenuItem } from "../../components/menu";
import { StatusTag } from "../../components/status-tag";
import { day, daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { Amount } from "./amounts";
import type { Act } from "./bulk";
import { BillState } from "./bill-state";
import { useProviderName } from "./queries";
import type { Selection } from "./selection";
import type { Settled } from "./settled-queries";
import { Tick, TickAll } from "./tick";

/** What can be done with a settlement as it is now. */
export function actsOf(row: Settled): Act[] {
  if (row.state === "revoked" || row.absorbedInto) return [];
  const carry: Act[] = row.notCarriedCount > 0 ? ["carry"] : [];
  const share: Act[] = row.sharedAt ? [] : ["share"];
  return row.state === "paid" ? ["unpay", ...share, ...carry] : ["pay", ...share, ...carry, "revoke"];
}

interface Doing {
  /** Missing where nothing can be done. */
  selection: Selection | undefined;
  act: (act: Act, row: Settled) => void;
  send: (row: Settled) => void;
}

/** Number, who, when, which apps, what was due and paid, what went on, and where it stands. */
export function useSettledColumns({ selection, act, send }: Doing): Column<Settled>[] {
  const { t } = useTranslation("settlements");
  const { sign, plain } = useAmounts();
  const language = useLanguage();
  const mark = useListMark();
  const number = { kind: "number", skeleton: 60 } as const;
  return [
    ...(selection
      ? [
          {
            key: "select",
            head: t("selectPage"),
            headCell: <TickAll selection={selection} />,
            skeleton: 18,
            cell: (row: Settled) => (
              <Tick
                id={row.id}
                name={`${row.lastName} ${row.firstName}`}
                selection={selection}
                refused={row.absorbedInto ? t("absorbed", { period: row.absorbedPeriod }) : undefined}
              />
            ),
          },
        ]
      : []),
    { key: "number", head: t("number"), skeleton: 40, sortable: true, labelled: true, cell: (row) => row.number },
    {
      key: "name",
      head: t("driver"),
      skeleton: 150,
      sortable: true,
      cell: (row) => (
        <span className="settlements-who">
          <Link to={`/transactions/summary/${row.driverId}/${row.id}${mark}`}>
            {row.lastName} {row.firstName}
          </Link>
        </span>
      ),
    },
    {
      key: "period",
      head: t("period"),
      skeleton: 100,
      cell: ({ firstOn, lastOn, period }) => (
        <span className="settlements-period">
          {daySpan(firstOn, lastOn, language)}
          <small>{period}</small>
        </span>
      ),
    },
    { key: "apps", head: t("apps"), skeleton: 50, cell: (row) => <Tiles row={row} /> },
    { ...number, key: "due", head: t("dueOne"), labelled: true, cell: ({ due }) => <Due minor={due} /> },
    {
      ...number,
      key: "payout",
      head: t("payout") + sign.replace(/^\s/, ", "),
      sortable: true,
      cell: ({ payout }) => <b className="settlements-due">{plain(payout)}</b>,
    },
    { ...number, key: "carried", head: t("carried"), labelled: true, cell: (row) => <Carried row={row} /> },
    { key: "state", head: t("state"), skeleton: 90, cell: (row) => <States row={row} /> },
    {
      key: "actions",
      head: t("actions"),
      kind: "actions",
      skeleton: 20,
      cell: (row) => <RowMenu row={row} acts={selection ? actsOf(row) : []} act={act} send={send} />,
    },
  ];
}

function Due({ minor }: { minor: number }) {
  const { t } = useTranslation("settlements");
  const { plain } = useAmounts();
  if (minor >= 0) return <Amount minor={minor} />;
  return (
    <span className="settlements-debt settlements-amount">
      {plain(minor)} {t("debt")}
    </span>
  );
}

/** One neutral tile for each app, which says its name. */
function Tiles({ row }: { row: Settled }) {
  const named = useProviderName();
  return (
    <span className="settlements-tiles">
      {row.apps.map(({ provider }) => (
        <span key={provider} role="img" aria-label={named(provider)} title={named(provider)}>
          {named(provider).slice(0, 1)}
        </span>
      ))}
    </span>
  );
}

/** What was left for the next period, and whether it waits to be carried there. */
function Carried({ row }: { row: Settled }) {
  const { t } = useTranslation("settlements");
  if (row.notCarriedCount === 0) return <Amount minor={row.next} />;
  return (
    <span className="settlements-carried">
      <Amount minor={row.next} />
      <small>{t("notCarried")}</small>
    </span>
  );
}

function States({ row }: { row: Settled }) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const { timeZone } = useConfig();
  return (
    <span className="settlements-chips">
      {row.state === "settled" && !row.absorbedInto && <StatusTag tone="neutral" icon={Check} word={t("isSettled")} />}
      {row.absorbedInto && (
        <StatusTag tone="outline" icon={CornerDownRight} word={t("absorbed", { period: row.absorbedPeriod })} />
      )}
      {row.state === "paid" && (
        <StatusTag
          tone="success"
          icon={CircleCheck}
          word={t("isPaid", { day: day(`${row.paidOn}T12:00:00Z`, language, "UTC") })}
        />
      )}
      {row.state === "revoked" && <StatusTag tone="outline" icon={Ban} word={t("isRevoked")} />}
      {row.sharedAt && row.state !== "revoked" && !row.bill && (
        <StatusTag tone="neutral" icon={Eye} word={t("isShared")} />
      )}
      {row.bill && row.state !== "revoked" && <BillState bill={row.bill} />}
      {row.hindrance && (
        <Link className="settlements-batch" to={`/drivers/${row.driverId}`}>
          <StatusTag tone="danger" icon={OctagonAlert} word={t(`hindrance_${row.hindrance}`)} />
        </Link>
      )}
      {row.batch > 0 && (
        <Link className="settlements-batch" to={`/payouts/${row.batch}`}>
          {t("inBatch", { number: row.batch })}
        </Link>
      )}
      {row.supplementary && <StatusTag tone="outline" icon={Layers} word={t("supplementary")} />}
      {row.revokedAt && (
        <span className="settlements-said">
          {row.revokeReason} {t("saidBy", { who: row.revokedBy, at: moment(row.revokedAt, language, timeZone) })}
        </span>
      )}
    </span>
  );
}

const icons = { pay: CircleCheck, unpay: Undo2, share: Eye, carry: ArrowRightToLine, revoke: Ban, issue: FilePlus };

interface RowMenuProps extends Pick<Doing, "act" | "send"> {
  row: Settled;
  acts: readonly Act[];
}

function RowMenu({ row, acts, act, send }: RowMenuProps) {
  const { t } = useTranslation(["settlements", "sending"]);
  const navigate = useNavigate();
  const mark = useListMark();
  const name = `${row.lastName} ${row.firstName}`;
  return (
    <Menu
      label={t("actionsOf", { name: t("numbered", { number: row.number, name }) })}
      trigger={<Ellipsis aria-hidden size={16} strokeWidth={1.75} />}
      triggerClass="settlements-more"
      placement="below"
      align="end"
    >
      {acts.map((one) => (
        <MenuItem key={one} icon={icons[one]} onSelect={() => act(one, row)}>
          {t(`act_${one}`)}
        </MenuItem>
      ))}
      {acts.length > 0 && (
        <MenuItem icon={Mail} onSelect={() => send(row)}>
          {t(row.bill && row.bill.state !== "failed" ? "sending:sendAgain" : "sending:send")}
        </MenuItem>
      )}
      {row.bill && (
        <MenuItem
          icon={MailCheck}
          onSelect={() => void navigate(`/drivers/sent-summary/${row.bill?.id ?? ""}/${row.driverId}`)}
        >
          {t("sending:showSent")}
        </MenuItem>
      )}
      <MenuItem
        icon={FileText}
        onSelect={() => void navigate(`/transactions/summary/${row.driverId}/${row.id}${mark}`)}
      >
        {t("explain")}
      </MenuItem>
    </Menu>
  );
}
