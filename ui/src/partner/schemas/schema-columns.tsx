import { Copy, type LucideIcon, Star, Trash2 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import type { Column } from "../../kit/list-table";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Schema } from "./queries";

export type SchemaColumn = "name" | "contractType" | "drivers" | "updatedAt" | "actions";

interface Actions {
  onOpen: (schema: Schema) => void;
  onCopy: (schema: Schema) => void;
  onDefault: (schema: Schema) => void;
  onRemove: (schema: Schema) => void;
  mayWrite: boolean;
  /** The schema that is becoming the default. */
  choosing: number | undefined;
}

/** The columns of the list; whoever may not write sees no actions. */
export function useSchemaColumns({ onOpen, onCopy, onDefault, onRemove, mayWrite, choosing }: Actions) {
  const { t } = useTranslation("schemas");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const columns: Column<Schema, SchemaColumn>[] = [
    {
      key: "name",
      head: t("name"),
      skeleton: 180,
      sortable: true,
      cell: (schema) => (
        <span className="schema-name">
          <button type="button" className="schema-open" onClick={() => onOpen(schema)}>
            {schema.name}
          </button>
          {schema.isDefault && <StatusTag tone="brand" icon={Star} word={t("default")} />}
        </span>
      ),
    },
    { key: "contractType", head: t("contractType"), skeleton: 120, cell: (schema) => t(schema.contractType) },
    {
      key: "drivers",
      head: t("drivers"),
      skeleton: 40,
      kind: "number",
      sortable: true,
      cell: (schema) => count(schema.drivers, language),
    },
    {
      key: "updatedAt",
      head: t("updatedAt"),
      skeleton: 140,
      sortable: true,
      cell: (schema) => (
        <>
          <time dateTime={schema.updatedAt}>{day(schema.updatedAt, language, timeZone)}</time>
          {schema.updatedBy && <span className="schema-by">{schema.updatedBy}</span>}
        </>
      ),
    },
  ];
  if (mayWrite)
    columns.push({
      key: "actions",
      head: t("actions"),
      skeleton: 90,
      kind: "actions",
      cell: (schema) => (
        <span className="schema-actions">
          {!schema.isDefault && (
            <Act
              icon={Star}
              label={t("makeDefaultNamed", { name: schema.name })}
              hint={t("makeDefault")}
              loading={choosing === schema.schemaNumber}
              onClick={() => onDefault(schema)}
            />
          )}
          <Act
            icon={Copy}
            label={t("copyNamed", { name: schema.name })}
            hint={t("copy")}
            onClick={() => onCopy(schema)}
          />
          <Act
            icon={Trash2}
            label={t("removeNamed", { name: schema.name })}
            hint={t("remove")}
            onClick={() => onRemove(schema)}
          />
        </span>
      ),
    });
  return columns;
}

interface ActProps {
  icon: LucideIcon;
  label: string;
  hint: string;
  loading?: boolean;
  onClick: () => void;
}

function Act({ icon: Icon, label, hint, loading = false, onClick }: ActProps) {
  return (
    <Button
      kind="text"
      size="small"
      icon={<Icon aria-hidden size={16} strokeWidth={1.75} />}
      aria-label={label}
      title={hint}
      loading={loading}
      onClick={onClick}
    />
  );
}
