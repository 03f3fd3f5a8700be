import { Trash2 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import type { Column } from "../../kit/list-table";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Tag } from "./queries";

export type TagColumn = "name" | "createdAt" | "actions";

/** The columns of the list; onRemove is missing where the person may not write. */
export function useTagColumns(onRemove: ((tag: Tag) => void) | undefined, removing: string | undefined) {
  const { t } = useTranslation("tags");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const columns: Column<Tag, TagColumn>[] = [
    {
      key: "name",
      head: t("name"),
      skeleton: 180,
      sortable: true,
      cell: (tag) => <span className="tag-name">{tag.name}</span>,
    },
    {
      key: "createdAt",
      head: t("createdAt"),
      skeleton: 90,
      sortable: true,
      cell: (tag) => <time dateTime={tag.createdAt}>{day(tag.createdAt, language, timeZone)}</time>,
    },
  ];
  if (onRemove)
    columns.push({
      key: "actions",
      head: t("actions"),
      skeleton: 28,
      kind: "actions",
      cell: (tag) => (
        <Button
          kind="text"
          size="small"
          icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
          aria-label={t("removeNamed", { name: tag.name })}
          title={t("remove")}
          loading={removing === tag.id}
          onClick={() => onRemove(tag)}
        />
      ),
    });
  return columns;
}
