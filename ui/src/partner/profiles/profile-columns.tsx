import {
  BadgeCheck,
  CircleDashed,
  CircleHelp,
  Link2,
  Link2Off,
  Lock,
  LockOpen,
  MailCheck,
  MailQuestion,
  UserCheck,
} from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import type { Column } from "../../kit/list-table";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Tab } from "./profile-list";
import type { Bulk, Row } from "./queries";

type Key = "select" | "name" | "activation" | "account" | "chosenAt" | "proposal" | "kept" | "actions";

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${lastName} ${firstName}`;

interface On {
  /** Nothing, where the person may only look. */
  may: boolean;
  chosen: { has: (id: string) => boolean; toggle: (row: Row) => void };
  link: (profile: string) => void;
  act: (what: Bulk, row: Row) => void;
}

/** The columns of a tab. */
export function useProfileColumns(tab: Tab, on: On): Column<Row, Key>[] {
  const { t } = useTranslation("profiles");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const onDay = (instant: string) => day(instant, language, timeZone);
  const all: Record<Key, Column<Row, Key>> = {
    select: {
      key: "select",
      head: t("selection"),
      skeleton: 16,
      cell: (row) => (
        <input
          type="checkbox"
          className="profiles-tick"
          aria-label={t("select", { name: nameOf(row) })}
          checked={on.chosen.has(row.id)}
          onChange={() => on.chosen.toggle(row)}
        />
      ),
    },
    name: { key: "name", head: t("name"), skeleton: 180, cell: (row) => <Who row={row} /> },
    activation: {
      key: "activation",
      head: t("activation"),
      skeleton: 110,
      cell: ({ activationSentAt, registered }) => (
        <span className="profiles-stack">
          {activationSentAt ? (
            <span>
              {t("sentOn")} <time dateTime={activationSentAt}>{onDay(activationSentAt)}</time>
            </span>
          ) : (
            <span>{t("notSent")}</span>
          )}
          {registered ? (
            <StatusTag tone="success" icon={UserCheck} word={t("registered")} />
          ) : (
            <StatusTag tone="outline" icon={MailQuestion} word={t("notRegistered")} />
          )}
        </span>
      ),
    },
    account: { key: "account", head: t("account"), skeleton: 120, cell: (row) => <Account row={row} /> },
    chosenAt: {
      key: "chosenAt",
      head: t("chosenAt"),
      skeleton: 90,
      cell: ({ chosenAt }) => chosenAt && <time dateTime={chosenAt}>{onDay(chosenAt)}</time>,
    },
    proposal: { key: "proposal", head: t("proposal"), skeleton: 160, cell: (row) => <Best row={row} /> },
    kept: {
      key: "kept",
      head: t("kept"),
      skeleton: 140,
      cell: ({ profileId, driverId }) => (
        <StatusTag
          tone="danger"
          icon={Lock}
          word={profileId && driverId ? t("keptBoth") : profileId ? t("keptProfile") : t("keptDriver")}
        />
      ),
    },
    actions: {
      key: "actions",
      head: t("actions"),
      kind: "actions",
      skeleton: 80,
      cell: (row) => <Actions row={row} tab={tab} on={on} />,
    },
  };
  const shown: Record<Tab, Key[]> = {
    email: ["name", "activation", "account"],
    new: ["name", "chosenAt", "proposal"],
    blocked: ["name", "kept"],
  };
  const keys: Key[] = on.may ? ["select", ...shown[tab], "actions"] : shown[tab];
  return keys.map((key) => all[key]);
}

function Who({ row }: { row: Row }) {
  const { t } = useTranslation("profiles");
  const maySee = useSession().may("documents.decide");
  return (
    <span className="profiles-who">
      {row.driverId ? <Link to={`/drivers/${row.driverId}`}>{nameOf(row)}</Link> : <b>{nameOf(row)}</b>}
      <span>{[row.email, row.phone].filter(Boolean).join(" · ")}</span>
      {maySee && row.driverId && <Link to={`/driver-documents/driver/${row.driverId}`}>{t("completed")}</Link>}
      <span className="profiles-badges">
        {row.verified && <StatusTag tone="success" icon={BadgeCheck} word={t("verified")} />}
        {row.profileId && !row.driverId && row.emailConfirmed && (
          <StatusTag tone="outline" icon={MailCheck} word={t("emailConfirmed")} />
        )}
      </span>
    </span>
  );
}

function Account({ row }: { row: Row }) {
  const { t } = useTranslation("profiles");
  const language = useLanguage();
  const { timeZone } = useConfig();
  if (row.blocked) return <StatusTag tone="danger" icon={Lock} word={t("keptOut")} />;
  if (row.state === "linked")
    return (
      <span className="profiles-stack">
        <StatusTag tone="success" icon={Link2} word={t("linked")} />
        {row.linkedAt && <span>{t("since", { day: day(row.linkedAt, language, timeZone) })}</span>}
      </span>
    );
  if (row.state === "new") return <StatusTag tone="warning" icon={CircleHelp} word={t("choseYou")} />;
  return <StatusTag tone="outline" icon={CircleDashed} word={t("notLinked")} />;
}

/** The likeliest driver and what speaks for them. */
function Best({ row }: { row: Row }) {
  const { t } = useTranslation("profiles");
  const free = row.proposals.filter(({ linked }) => !linked);
  const best = free[0] ?? row.proposals[0];
  if (!best) return <span className="profiles-quiet">{t("noProposal")}</span>;
  return (
    <span className="profiles-stack">
      <Link to={`/drivers/${best.id}`}>{nameOf(best)}</Link>
      <span>{[...best.evidence.map((why) => t(`same_${why}`)), ...(best.linked ? [t("taken")] : [])].join(", ")}</span>
      {row.proposals.length > 1 && <span>{t("moreProposals", { count: row.proposals.length - 1 })}</span>}
    </span>
  );
}

function Actions({ row, tab, on }: { row: Row; tab: Tab; on: On }) {
  const { t } = useTranslation("profiles");
  const name = nameOf(row);
  if (tab === "blocked" || row.blocked)
    return (
      <Button
        aria-label={t("unblockNamed", { name })}
        icon={<LockOpen {...ICON} />}
        onClick={() => on.act("unblock", row)}
      >
        {t("unblock")}
      </Button>
    );
  if (row.state === "linked")
    return (
      <Button
        aria-label={t("unlinkNamed", { name })}
        icon={<Link2Off {...ICON} />}
        onClick={() => on.act("unlink", row)}
      >
        {t("unlink")}
      </Button>
    );
  return (
    row.profileId && (
      <Button aria-label={t("linkNamed", { name })} icon={<Link2 {...ICON} />} onClick={() => on.link(row.profileId)}>
        {t("link")}
      </Button>
    )
  );
}
