import { Columns3Cog, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { type Column, ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { MappingPage } from "./mapping-page";
import { type Mapping, useMappings, useRemoveMapping } from "./mapping-queries";
import { ProviderName } from "./names";
import { RememberedTypes } from "./remembered-types";

/** Everything that the partner has described, to be changed or forgotten. */
export default function MappingsPage() {
  const { t } = useTranslation("imports");
  const all = useMappings();
  const [leaving, setLeaving] = useState<Mapping>();
  const columns = useMappingColumns(setLeaving);
  return (
    <MappingPage title={t("mapsTitle")} lead={t("mapsLead")} back={{ to: "/upload", label: t("mapBack") }}>
      {all.isError && !all.data ? (
        <ErrorState
          title={t("mapsFailed")}
          undone={t("unchanged")}
          problem={all.error}
          onRetry={() => void all.refetch()}
        />
      ) : all.data?.length === 0 ? (
        <FirstUse icon={Columns3Cog} title={t("mapsNoneTitle")} body={t("mapsNoneBody")} />
      ) : (
        <ListTable
          caption={t("mapsTitle")}
          columns={columns}
          rows={all.data}
          rowKey={({ id }) => id}
          sort={{ by: "name", descending: false }}
          onSort={() => undefined}
          reloading={false}
        />
      )}
      <RememberedTypes />
      {leaving && <RemoveMapping mapping={leaving} onClose={() => setLeaving(undefined)} />}
    </MappingPage>
  );
}

type Key = "name" | "provider" | "head" | "changed" | "actions";

function useMappingColumns(onRemove: (mapping: Mapping) => void): Column<Mapping, Key>[] {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const mayWrite = useSession().may("imports.write");
  return [
    {
      key: "name",
      head: t("mapName"),
      skeleton: 160,
      cell: ({ id, name }) =>
        mayWrite ? (
          <Link className="imports-file" to={`/upload/mappings/${id}`} aria-label={t("mapEditNamed", { name })}>
            {name}
          </Link>
        ) : (
          name
        ),
    },
    { key: "provider", head: t("provider"), skeleton: 100, cell: ({ provider }) => <ProviderName code={provider} /> },
    {
      key: "head",
      head: t("mapHead"),
      skeleton: 240,
      labelled: true,
      cell: ({ columns }) => columns.map(({ header, role }) => `${header} (${t(`role_${role}`)})`).join(", "),
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
            cell: (mapping: Mapping) => (
              <Button
                icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
                aria-label={t("mapRemoveNamed", { name: mapping.name })}
                onClick={() => onRemove(mapping)}
              />
            ),
          },
        ]
      : []),
  ];
}

function RemoveMapping({ mapping: { id, name }, onClose }: { mapping: Mapping; onClose: () => void }) {
  const { t } = useTranslation(["imports", "common", "faults"]);
  const remove = useRemoveMapping();
  const done = useDoneToast();
  const [problem, setProblem] = useState<Problem>();
  const now = async () => {
    setProblem(undefined);
    try {
      await remove.mutateAsync(id);
      done(t("mapRemoved", { name }));
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return (
    <Dialog title={t("mapRemoveTitle", { name })} onClose={onClose}>
      <p>{t("mapRemoveBody")}</p>
      {problem && (
        <Notice tone="danger">
          {t("removeFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      <div className="imports-answers">
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        <Button kind="primary" loading={remove.isPending} onClick={() => void now()}>
          {t("mapRemove")}
        </Button>
      </div>
    </Dialog>
  );
}
