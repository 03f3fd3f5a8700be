import { FileSliders, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import type { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ListTable } from "../../kit/list-table";
import { Message } from "../../components/message";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { useLanguage } from "../../i18n";
import { CopyDialog } from "./copy-dialog";
import { type Schema, useMakeDefault, useSchemas } from "./queries";
import { RemoveDialog } from "./remove-dialog";
import { useSchemaColumns } from "./schema-columns";
import { SchemaEditor } from "./schema-editor";
import { arrange, useSchemaList } from "./schema-list";
import "./schemas.css";

export default function SchemasPage() {
  const { t } = useTranslation("schemas");
  const mayWrite = useSession().may("schemas.write");
  const list = useSchemaList();
  const schemas = useSchemas();
  const close = () => list.setOpen(null);
  if (schemas.isError && !schemas.data)
    return (
      <>
        <PageHeader title={t("title")} />
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={schemas.error}
          onRetry={() => void schemas.refetch()}
        />
      </>
    );
  if (list.open === "new" && mayWrite) return <SchemaEditor key="new" schema={undefined} onClose={close} />;
  if (typeof list.open !== "number" || !schemas.data)
    return <SchemaList schemas={schemas.data} reloading={schemas.isRefetching} />;
  const open = schemas.data.find(({ schemaNumber }) => schemaNumber === list.open);
  return open ? (
    <SchemaEditor key={open.schemaNumber} schema={open} onClose={close} />
  ) : (
    <>
      <PageHeader title={t("title")} />
      <Message icon={FileSliders} title={t("goneTitle")} actions={<Button onClick={close}>{t("back")}</Button>}>
        <p>{t("goneBody")}</p>
      </Message>
    </>
  );
}

function SchemaList({ schemas, reloading }: { schemas: Schema[] | undefined; reloading: boolean }) {
  const { t } = useTranslation(["schemas", "faults"]);
  const language = useLanguage();
  const mayWrite = useSession().may("schemas.write");
  const list = useSchemaList();
  const choose = useMakeDefault();
  const done = useDoneToast();
  const [copying, setCopying] = useState<Schema>();
  const [removing, setRemoving] = useState<Schema>();
  const [refusal, setRefusal] = useState<{ name: string; problem: Problem }>();

  const makeDefault = (schema: Schema) => {
    setRefusal(undefined);
    choose.mutate(schema, {
      onSuccess: () => done(t("madeDefault", { name: schema.name })),
      onError: (problem) => setRefusal({ name: schema.name, problem }),
    });
  };
  const columns = useSchemaColumns({
    onOpen: ({ schemaNumber }) => list.setOpen(schemaNumber),
    onCopy: setCopying,
    onDefault: makeDefault,
    onRemove: setRemoving,
    mayWrite,
    choosing: choose.isPending ? choose.variables.schemaNumber : undefined,
  });
  const addButton = mayWrite && (
    <Button kind="primary" icon={<Plus aria-hidden size={16} strokeWidth={1.75} />} onClick={() => list.setOpen("new")}>
      {t("add")}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t("title")}
        meta={schemas && schemas.length > 0 && t("count", { count: schemas.length })}
        actions={schemas?.length !== 0 && addButton}
      />
      {refusal && (
        <div className="schemas-refusal">
          <Notice tone="danger">
            {t("makeDefaultFailed", { name: refusal.name })}{" "}
            {t(`faults:${refusal.problem.code}`, { replace: refusal.problem.params })}
          </Notice>
        </div>
      )}
      {schemas?.length === 0 ? (
        <FirstUse icon={FileSliders} title={t("emptyTitle")} body={t("emptyBody")} action={addButton} />
      ) : (
        <ListTable
          caption={t("caption")}
          columns={columns}
          rows={schemas && arrange(schemas, list.sort, language)}
          rowKey={({ schemaNumber }) => String(schemaNumber)}
          sort={list.sort}
          onSort={list.setSort}
          reloading={reloading}
        />
      )}
      {copying && (
        <CopyDialog
          schema={copying}
          onClose={() => setCopying(undefined)}
          onCopied={(copy) => {
            setCopying(undefined);
            done(t("copied", { name: copy.name }));
            list.setOpen(copy.schemaNumber);
          }}
        />
      )}
      {removing && <RemoveDialog schema={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}
