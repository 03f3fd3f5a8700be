import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { answer, api, type Body } from "../../api/client";
import { useWrite } from "../../api/write";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { type Column, ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { ProviderName } from "./names";

const TYPES = "/api/remembered-types";

type RememberedType = Body<typeof TYPES>["types"][number];

/** The types that rows of later files take because a person gave them to such rows, to be removed. */
export function RememberedTypes() {
  const { t } = useTranslation(["imports", "faults"]);
  const all = useQuery({
    queryKey: [TYPES],
    queryFn: ({ signal }) => answer(api.GET(TYPES, { signal })),
    select: ({ types }) => types,
  });
  const done = useDoneToast();
  const remove = useWrite([TYPES, "/api/imports"], (row: RememberedType) =>
    answer(api.DELETE("/api/remembered-types/{id}", { params: { path: { id: row.id } } })),
  );
  const columns = useTypeColumns((row) =>
    remove.mutate(row, { onSuccess: () => done(t("typesRemoved", { name: row.seen })) }),
  );
  return (
    <section className="imports-types" aria-labelledby="remembered-types">
      <h2 id="remembered-types">{t("typesTitle")}</h2>
      <p>{t("typesLead")}</p>
      {remove.error && (
        <Notice tone="danger">
          {t("typesRemoveFailed")} {t(`faults:${remove.error.code}`, { replace: remove.error.params })}
        </Notice>
      )}
      {all.isError && !all.data ? (
        <ErrorState
          title={t("typesFailed")}
          undone={t("unchanged")}
          problem={all.error}
          onRetry={() => void all.refetch()}
        />
      ) : all.data?.length === 0 ? (
        <p className="imports-quiet">{t("typesNone")}</p>
      ) : (
        <ListTable
          caption={t("typesTitle")}
          columns={columns}
          rows={all.data}
          rowKey={({ id }) => id}
          sort={{ by: "seen", descending: false }}
          onSort={() => undefined}
          reloading={false}
        />
      )}
    </section>
  );
}

type Key = "seen" | "provider" | "type" | "changed" | "actions";

function useTypeColumns(onRemove: (row: RememberedType) => void): Column<RememberedType, Key>[] {
  const { t } = useTranslation(["imports", "transactions"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const mayWrite = useSession().may("imports.write");
  return [
    { key: "seen", head: t("typesSeen"), skeleton: 200, cell: ({ seen }) => seen },
    { key: "provider", head: t("provider"), skeleton: 100, cell: ({ provider }) => <ProviderName code={provider} /> },
    {
      key: "type",
      head: t("type"),
      skeleton: 120,
      labelled: true,
      cell: ({ type }) => t(`transactions:type_${type}` as "transactions:type_TRIP"),
    },
    {
      key: "changed",
      head: t("mapChanged"),
      skeleton: 140,
      labelled: true,
      cell: ({ updatedAt, updatedBy }) =>
        t("decidedBy", { who: updatedBy, when: moment(updatedAt, language, timeZone) }),
    },
    ...(mayWrite
      ? [
          {
            key: "actions" as const,
            head: t("mapRemove"),
            kind: "actions" as const,
            skeleton: 40,
            cell: (row: RememberedType) => (
              <Button
                icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
                aria-label={t("typesRemoveNamed", { name: row.seen })}
                onClick={() => onRemove(row)}
              />
            ),
          },
        ]
      : []),
  ];
}
