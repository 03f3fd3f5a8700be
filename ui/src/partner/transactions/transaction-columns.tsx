import { Check, History, Paperclip, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import type { Column } from "../../kit/list-table";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { type Transaction, useProviders } from "./queries";

type Key = "select" | "date" | "provider" | "type" | "what" | "source" | "amount" | "actions";

interface RowActions {
  /** Missing where the person may not write. */
  edit?: ((row: Transaction) => void) | undefined;
  remove?: ((row: Transaction) => void) | undefined;
  history: (row: Transaction) => void;
  download: (row: Transaction) => void;
  /** Missing where nothing can be chosen. */
  choose?: { has: (id: string) => boolean; toggle: (row: Transaction) => void } | undefined;
}

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

/** What a row is called where it needs a name. */
export const useRowName = () => {
  const { t } = useTranslation("transactions");
  return (row: Transaction) => row.name || row.description || t(`type_${row.type}`);
};

export function useTransactionColumns(on: RowActions): Column<Transaction, Key>[] {
  const { t } = useTranslation("transactions");
  const language = useLanguage();
  const { currency } = useConfig();
  const named = useRowName();
  const providers = useProviders().data ?? [];
  const choose = on.choose;
  return [
    ...(choose
      ? [
          {
            key: "select" as const,
            head: t("selection"),
            skeleton: 16,
            cell: (row: Transaction) =>
              row.retypable && (
                <input
                  type="checkbox"
                  className="transactions-tick"
                  aria-label={t("select", { name: named(row) })}
                  checked={choose.has(row.id)}
                  onChange={() => choose.toggle(row)}
                />
              ),
          },
        ]
      : []),
    {
      key: "date",
      head: t("date"),
      skeleton: 80,
      cell: (row) => (
        <time dateTime={row.occurredOn} className="transactions-day">
          {day(`${row.occurredOn}T12:00:00Z`, language, "UTC")}
        </time>
      ),
    },
    {
      key: "provider",
      head: t("provider"),
      skeleton: 90,
      cell: ({ provider }) => {
        const name = providers.find(({ code }) => code === provider)?.name ?? provider;
        return (
          <span className="transactions-provider">
            <span aria-hidden>{name.charAt(0)}</span>
            {name}
          </span>
        );
      },
    },
    {
      key: "type",
      head: t("type"),
      skeleton: 110,
      cell: (row) => (
        <>
          {t(`type_${row.type}`)}
          {row.payment && <span className="transactions-second">{t(row.payment)}</span>}
        </>
      ),
    },
    {
      key: "what",
      head: t("what"),
      skeleton: 180,
      cell: (row) => (
        <>
          <span className="transactions-name">{row.name || row.description}</span>
          {row.reason && <span className="transactions-second">{row.reason}</span>}
          {row.corrects && (
            <span className="transactions-second">
              {t("correction", { amount: money(BigInt(row.correctedAmount), language) })}
            </span>
          )}
          {row.evidence && (
            <Button kind="link" size="small" icon={<Paperclip {...ICON} />} onClick={() => on.download(row)}>
              {t("download", { file: row.evidence })}
            </Button>
          )}
        </>
      ),
    },
    {
      key: "source",
      head: t("source"),
      skeleton: 120,
      cell: (row) => (
        <span className="transactions-source">
          {row.sourceFile && row.sourceRow > 0
            ? t("fileRow", { file: row.sourceFile, row: row.sourceRow })
            : t(`source_${row.source}`)}
        </span>
      ),
    },
    {
      key: "amount",
      head: t("amountIn", { currency: currencySign(currency, language).trim() }),
      skeleton: 70,
      kind: "number",
      cell: (row) => (
        <>
          <span className="transactions-amount">{money(BigInt(row.amount), language)}</span>
          {row.settlementUUID && <StatusTag tone="neutral" icon={Check} word={t("settled")} />}
        </>
      ),
    },
    {
      key: "actions",
      head: t("actions"),
      skeleton: 28,
      kind: "actions",
      cell: (row) => <Actions row={row} on={on} />,
    },
  ];
}

function Actions({ row, on }: { row: Transaction; on: RowActions }) {
  const { t } = useTranslation("transactions");
  const name = useRowName()(row);
  const { edit, remove } = on;
  return (
    <>
      {edit && row.editable && (
        <Button
          kind="text"
          size="small"
          icon={<Pencil {...ICON} />}
          aria-label={t("editNamed", { name })}
          title={t("edit")}
          onClick={() => edit(row)}
        />
      )}
      {remove && row.editable && (
        <Button
          kind="text"
          size="small"
          icon={<Trash2 {...ICON} />}
          aria-label={t("removeNamed", { name })}
          title={t("remove")}
          onClick={() => remove(row)}
        />
      )}
      <Button
        kind="text"
        size="small"
        icon={<History {...ICON} />}
        aria-label={t("historyNamed", { name })}
        title={t("history")}
        onClick={() => on.history(row)}
      />
    </>
  );
}
