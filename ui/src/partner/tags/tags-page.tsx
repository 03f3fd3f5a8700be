import { Plus, Tags, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import type { Problem } from "../../api/problem";
import { useSession } from "../../session/session";
import { FirstUse, NoMatch } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { ListTable } from "../../kit/list-table";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { SearchField } from "../../components/search-field";
import { useUndoToast } from "../../components/undo-toast";
import { useLanguage } from "../../i18n";
import { type Tag, useAddTag, useRemoveTag, useTags } from "./queries";
import { useTagColumns } from "./tag-columns";
import { arrange, useTagList } from "./tag-list";
import "./tags.css";

const loadDrawer = () => import("./tag-drawer");
const TagDrawer = lazy(loadDrawer);

/** A write that was refused, and what it therefore did not do. */
interface Refusal {
  undone: string;
  problem: Problem;
}

export default function TagsPage() {
  const { t } = useTranslation(["tags", "faults"]);
  const language = useLanguage();
  const mayWrite = useSession().may("tags.write");
  const list = useTagList();
  const tags = useTags();
  const add = useAddTag();
  const remove = useRemoveTag();
  const offerUndo = useUndoToast();
  const [refusal, setRefusal] = useState<Refusal>();

  const restore = (name: string) =>
    add.mutate(name, { onError: (problem) => setRefusal({ undone: t("restoreFailed", { name }), problem }) });
  const removeTag = (tag: Tag) => {
    setRefusal(undefined);
    remove.mutate(tag, {
      onSuccess: () =>
        offerUndo({ icon: Trash2, text: t("removed", { name: tag.name }), undo: () => restore(tag.name) }),
      onError: (problem) => setRefusal({ undone: t("removeFailed", { name: tag.name }), problem }),
    });
  };
  const columns = useTagColumns(mayWrite ? removeTag : undefined, remove.isPending ? remove.variables.id : undefined);

  const all = tags.data;
  const rows = all && arrange(all, list.query, list.sort, language);
  const counted =
    rows?.length === all?.length
      ? t("count", { count: all?.length ?? 0 })
      : t("matching", { count: rows?.length ?? 0, total: all?.length ?? 0 });
  const addButton = mayWrite && (
    <Button
      kind="primary"
      icon={<Plus aria-hidden size={16} strokeWidth={1.75} />}
      onPointerEnter={() => void loadDrawer()}
      onClick={() => list.setAdding(true)}
    >
      {t("add")}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t("title")}
        meta={all && all.length > 0 && counted}
        actions={all?.length !== 0 && !(tags.isError && !all) && addButton}
      />
      {refusal && (
        <div className="tags-refusal">
          <Notice tone="danger">
            {refusal.undone} {t(`faults:${refusal.problem.code}`, { replace: refusal.problem.params })}
          </Notice>
        </div>
      )}
      {all?.length === 0 ? (
        <FirstUse icon={Tags} title={t("emptyTitle")} body={t("emptyBody")} action={addButton} />
      ) : tags.isError && !all ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={tags.error}
          onRetry={() => void tags.refetch()}
        />
      ) : (
        <>
          <div className="tags-filter">
            <SearchField label={t("search")} value={list.query} onChange={list.setQuery} />
          </div>
          {rows?.length === 0 ? (
            <NoMatch
              title={t("noMatchTitle", { query: list.query })}
              body={t("noMatchBody", { count: all?.length ?? 0 })}
              clear={t("clearSearch")}
              onClear={() => list.setQuery("")}
            />
          ) : (
            <ListTable
              caption={t("caption")}
              columns={columns}
              rows={rows}
              rowKey={(tag) => tag.id}
              sort={list.sort}
              onSort={list.setSort}
              reloading={tags.isRefetching}
            />
          )}
        </>
      )}
      <Suspense>{mayWrite && list.adding && <TagDrawer onClose={() => list.setAdding(false)} />}</Suspense>
    </>
  );
}
