import { Ban, CircleCheck, Clock, FilePen, FileText, OctagonAlert, Undo2, UserCheck } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { useAmounts } from "../../session/amounts";
import type { Column } from "../../kit/list-table";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Issued } from "./queries";

const TAGS = {
  issued: { tone: "neutral", icon: FileText },
  waiting: { tone: "neutral", icon: Clock },
  accepted: { tone: "success", icon: CircleCheck },
  refused: { tone: "danger", icon: OctagonAlert },
  corrected: { tone: "warning", icon: Undo2 },
  cancelled: { tone: "danger", icon: Ban },
  draft: { tone: "neutral", icon: FilePen },
  approval: { tone: "warning", icon: UserCheck },
  approved: { tone: "success", icon: UserCheck },
  declined: { tone: "danger", icon: OctagonAlert },
} as const;

interface Doing {
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
  onDriver: (id: string) => void;
}

/** Number with what it corrects, whose, when, how much, and where it stands. */
export function useDocumentColumns({ chosen, toggle, onDriver }: Doing): Column<Issued>[] {
  const { t } = useTranslation("documents");
  const language = useLanguage();
  const { plain, sign } = useAmounts();
  const money = (key: "net" | "vat" | "gross"): Column<Issued> => ({
    key,
    head: t(key) + sign.replace(/^\s/, ", "),
    kind: "number",
    skeleton: 70,
    labelled: true,
    cell: (row) => <span className="documents-amount">{plain(row[key])}</span>,
  });
  return [
    {
      key: "number",
      head: t("number"),
      skeleton: 140,
      cell: ({ id, number, kind, corrects, correctedBy }) => (
        <span className="documents-number">
          {number ? (
            <label>
              <input
                type="checkbox"
                aria-label={t("select", { number })}
                checked={chosen.has(id)}
                onChange={() => toggle(id)}
              />
              <b>{number}</b>
            </label>
          ) : (
            <b>{t("noNumber")}</b>
          )}
          <small>
            {t(`kind_${kind}`)}
            {corrects && ` ${t("corrects", { number: corrects })}`}
            {correctedBy && `, ${t("correctedBy", { number: correctedBy })}`}
          </small>
        </span>
      ),
    },
    {
      key: "driver",
      head: t("driver"),
      skeleton: 120,
      cell: ({ driverId, firstName, lastName }) => (
        <button
          type="button"
          className="documents-driver"
          title={t("onlyDriver", { name: `${firstName} ${lastName}` })}
          onClick={() => onDriver(driverId)}
        >
          {lastName} {firstName}
        </button>
      ),
    },
    {
      key: "settlement",
      head: t("settlement"),
      skeleton: 60,
      cell: ({ driverId, settlementId, settlementNumber, period }) => (
        <Link className="documents-link" to={`/transactions/summary/${driverId}/${settlementId}`}>
          {t("settlementNo", { number: settlementNumber })} · {period}
        </Link>
      ),
    },
    {
      key: "issuedOn",
      head: t("issuedOn"),
      skeleton: 80,
      labelled: true,
      cell: ({ issuedOn }) => day(`${issuedOn}T12:00:00Z`, language, "UTC"),
    },
    money("net"),
    money("vat"),
    money("gross"),
    {
      key: "state",
      head: t("state"),
      skeleton: 90,
      cell: ({ state, authorityNumber, authorityReason, onTheWay }) => (
        <span className="documents-state">
          <StatusTag {...TAGS[state]} word={t(`state_${state}`)} />
          {state === "waiting" && onTheWay && <small>{t(onTheWay === "sent" ? "way_sent" : `held_${onTheWay}`)}</small>}
          {(authorityNumber || ((state === "refused" || state === "declined") && authorityReason)) && (
            <small>{authorityNumber || authorityReason}</small>
          )}
        </span>
      ),
    },
  ];
}
