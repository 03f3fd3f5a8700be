import { CircleCheck, CircleDashed, Clock, OctagonAlert, SearchCheck, Undo2 } from "lucide-react";
import { Link } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Column } from "../../kit/list-table";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import { Invoices } from "./invoices";
import type { Bought } from "./queries";
import styles from "./licences.module.css";

const TAGS = {
  draft: { tone: "outline", icon: CircleDashed },
  started: { tone: "neutral", icon: Clock },
  success: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: OctagonAlert },
  abandoned: { tone: "outline", icon: CircleDashed },
  review: { tone: "warning", icon: SearchCheck },
  refunded: { tone: "neutral", icon: Undo2 },
} as const;

/** Number with the day, what, how much, where it stands, and the invoices. */
export function useHistoryColumns(): Column<Bought>[] {
  const { t } = useTranslation("licences");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { plain, sign } = useAmounts();
  return [
    {
      key: "number",
      head: t("number"),
      skeleton: 110,
      cell: ({ id, number }) => (
        <Link className={styles.link} to={`/payment-service/${id}`}>
          {number}
        </Link>
      ),
    },
    {
      key: "day",
      head: t("orderedOn"),
      skeleton: 80,
      labelled: true,
      cell: ({ createdAt }) => day(createdAt, language, timeZone),
    },
    {
      key: "package",
      head: t("package"),
      skeleton: 160,
      cell: ({ quantity, packageNames }) => t("pieces", { quantity, name: packageNames[language] ?? "" }),
    },
    {
      key: "units",
      head: t("totalUnits"),
      kind: "number",
      skeleton: 60,
      labelled: true,
      cell: ({ units, refundedUnits }) => count(units - refundedUnits, language),
    },
    {
      key: "gross",
      head: t("grossAll") + sign.replace(/^\s/, ", "),
      kind: "number",
      skeleton: 80,
      labelled: true,
      cell: ({ gross, refunded }) => (
        <span className={styles.amount}>
          <b>{plain(gross)}</b>
          {refunded > 0 && <small>{plain(-refunded)}</small>}
        </span>
      ),
    },
    {
      key: "state",
      head: t("state"),
      skeleton: 90,
      cell: ({ state }) => <StatusTag {...TAGS[state]} word={t(`state_${state}`)} />,
    },
    {
      key: "documents",
      head: t("documents"),
      skeleton: 120,
      cell: ({ documents }) => documents.length > 0 && <Invoices documents={documents} />,
    },
  ];
}
