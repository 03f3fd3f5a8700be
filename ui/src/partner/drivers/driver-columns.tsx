import { CircleAlert, CircleOff, Lock } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { useConfig } from "../../session/config";
import { useListMark } from "../../kit/list-place";
import type { Column } from "../../kit/list-table";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type DriverRow, type Identity, useProviders } from "./queries";
import { SchemaName } from "./schema-name";
import { useShown } from "./shown";
import { type Choice, choices } from "./shown-columns";

export type DriverColumn = "select" | "name" | Choice;

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

/** One tile for each provider, which says by what it knows the driver. */
function Tiles({ identities }: { identities: readonly Identity[] }) {
  const names = new Map(useProviders().data?.map(({ value, label }) => [value, label]));
  return (
    <span className="driver-badges">
      {[...new Set(identities.map(({ provider }) => provider))].map((code) => {
        const name = names.get(code) ?? code;
        const values = identities.filter(({ provider }) => provider === code).map(({ value }) => value);
        const said = `${name} ${values.join(", ")}`;
        return (
          <span key={code} className="driver-tile" role="img" aria-label={said} title={said}>
            {name.slice(0, 1)}
          </span>
        );
      })}
    </span>
  );
}

/** Which rows are chosen. */
interface Selection {
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  all: boolean;
  toggleAll: () => void;
}

/** Who it is, and the columns that are to be shown. */
export function useDriverColumns(shown: readonly Choice[], selection: Selection | undefined) {
  const { t } = useTranslation("drivers");
  const cells = useChoiceCells();
  const mark = useListMark();
  const contact = (driver: DriverRow) =>
    [!shown.includes("email") && driver.email, !shown.includes("phone") && driver.phone].filter(Boolean).join(" · ");
  const columns: Column<DriverRow, DriverColumn>[] = [
    {
      key: "name",
      head: t("name"),
      skeleton: 180,
      sortable: true,
      cell: (driver) => (
        <span className="driver-who">
          <Link to={`/drivers/${driver.id}${mark}`}>
            {driver.lastName} {driver.firstName}
          </Link>
          <span>{contact(driver)}</span>
        </span>
      ),
    },
    ...(Object.keys(choices) as Choice[])
      .filter((name) => shown.includes(name))
      .map((name) => ({ key: name, head: t(choices[name]), ...cells[name] })),
  ];
  if (selection)
    columns.unshift({
      key: "select",
      head: t("selection"),
      headCell: (
        <input
          type="checkbox"
          className="driver-tick"
          aria-label={t("selectPage")}
          checked={selection.all}
          onChange={selection.toggleAll}
        />
      ),
      skeleton: 16,
      cell: ({ id, firstName, lastName }) => (
        <input
          type="checkbox"
          className="driver-tick"
          aria-label={t("select", { name: `${lastName} ${firstName}` })}
          checked={selection.has(id)}
          onChange={() => selection.toggle(id)}
        />
      ),
    });
  return columns;
}

type ChoiceCell = Pick<Column<DriverRow>, "cell" | "skeleton" | "sortable" | "labelled">;

function useChoiceCells(): Record<Choice, ChoiceCell> {
  const { t } = useTranslation("drivers");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const shown = useShown();
  const text = (of: (driver: DriverRow) => string): ChoiceCell => ({
    skeleton: 90,
    labelled: true,
    cell: (driver) => of(driver) || t("noData"),
  });
  return {
    email: text(({ email }) => email),
    phone: text(({ phone }) => phone),
    account: {
      skeleton: 70,
      labelled: true,
      cell: ({ ibanEnd }) => <span className="driver-account">{ibanEnd ? `•••• ${ibanEnd}` : t("noData")}</span>,
    },
    taxId: text(({ taxId }) => taxId),
    contractNumber: text(({ contractNumber }) => contractNumber),
    summaryLanguage: text(({ summaryLanguage }) => shown("summaryLanguage", summaryLanguage)),
    settlementFrequency: text(({ settlementFrequency }) => shown("settlementFrequency", settlementFrequency)),
    settledOn: text(({ settledOn }) => settledOn && day(`${settledOn}T12:00:00Z`, language, "UTC")),
    schema: { skeleton: 90, labelled: true, cell: ({ schemaNumber }) => <SchemaName number={schemaNumber} /> },
    tags: {
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
    identities: { skeleton: 60, cell: ({ identities }) => <Tiles identities={identities} /> },
    state: {
      skeleton: 100,
      cell: (driver) => (
        <Remarks
          blocked={driver.blocked}
          active={driver.active}
          iban={driver.ibanEnd !== ""}
          taxId={driver.taxId !== ""}
        />
      ),
    },
    createdAt: {
      skeleton: 90,
      sortable: true,
      labelled: true,
      cell: ({ createdAt }) => (
        <time className="drivers-day" dateTime={createdAt}>
          {day(createdAt, language, timeZone)}
        </time>
      ),
    },
  };
}
