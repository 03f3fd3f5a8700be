import { CircleAlert, CircleOff, Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useConfig } from "../../app/config";
import type { Column } from "../../components/list-table";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type DriverRow, useProviders } from "./queries";

export type DriverColumn = "name" | "tags" | "providers" | "remarks" | "createdAt";

/** What must be known of a driver before money is sent: an icon and a word each. */
export function Remarks(props: { blocked: boolean; active: boolean; iban: boolean; taxId: boolean }) {
  const { t } = useTranslation("drivers");
  return (
    <span className="driver-badges">
      {props.blocked && <StatusTag tone="danger" icon={Lock} word={t("blocked")} />}
      {!props.active && <StatusTag tone="neutral" icon={CircleOff} word={t("inactive")} />}
      {!props.iban && <StatusTag tone="warning" icon={CircleAlert} word={t("noIban")} />}
      {!props.taxId && <StatusTag tone="warning" icon={CircleAlert} word={t("noTaxId")} />}
    </span>
  );
}

export function useDriverColumns() {
  const { t } = useTranslation("drivers");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const names = new Map(useProviders().data?.map(({ value, label }) => [value, label]));
  const columns: Column<DriverRow, DriverColumn>[] = [
    {
      key: "name",
      head: t("name"),
      skeleton: 180,
      sortable: true,
      cell: (driver) => (
        <span className="driver-who">
          <Link to={`/drivers/${driver.id}`}>
            {driver.lastName} {driver.firstName}
          </Link>
          <span>{[driver.email, driver.phone].filter(Boolean).join(" · ")}</span>
        </span>
      ),
    },
    {
      key: "tags",
      head: t("tags"),
      skeleton: 80,
      cell: ({ tags }) => (
        <span className="driver-badges">
          {tags.map(({ id, name }) => (
            <span key={id} className="driver-tag">
              {name}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: "providers",
      head: t("providers"),
      skeleton: 60,
      cell: ({ identities }) => (
        <span className="driver-badges">
          {[...new Set(identities.map(({ provider }) => provider))].map((code) => (
            <span
              key={code}
              className="driver-tile"
              role="img"
              aria-label={names.get(code) ?? code}
              title={names.get(code) ?? code}
            >
              {(names.get(code) ?? code).slice(0, 1)}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: "remarks",
      head: t("remarks"),
      skeleton: 100,
      cell: (driver) => (
        <Remarks blocked={driver.blocked} active={driver.active} iban={driver.ibanEnd !== ""} taxId={driver.hasTaxId} />
      ),
    },
    {
      key: "createdAt",
      head: t("createdAt"),
      skeleton: 90,
      sortable: true,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{day(createdAt, language, timeZone)}</time>,
    },
  ];
  return columns;
}
