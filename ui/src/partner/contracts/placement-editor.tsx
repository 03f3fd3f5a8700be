import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../../i18n/translation";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { useAddress, usePreview } from "./calls";
import { type ContractPDF, type Placement, usePDFPage } from "./pdf-calls";
import { PlacementDetails } from "./placement-details";
import { PlacementMenu } from "./placement-menu";
import { PlacementSheet } from "./placement-sheet";
import { added, wrongAt } from "./placements";
import { TryWith } from "./try-with";
import { useLabel } from "./use-label";
import { useUndo } from "./use-undo";
import styles from "./contracts.module.css";

type Draft = Parameters<typeof usePreview>[0];

interface PlacementEditorProps {
  file: ContractPDF;
  all: readonly Placement[];
  draft: Draft;
  problem: Problem | null;
  driver: string;
  onDriver: (id: string) => void;
  onChange: (all: Placement[]) => void;
}

const focusOn = (at: number) => document.getElementById(`field-${at}`)?.focus();

/** The pages of a partner's PDF with the fields on them, one page at a time. */
export function PlacementEditor({ file, all, draft, problem, driver, onDriver, onChange }: PlacementEditorProps) {
  const { t } = useTranslation("contractTexts");
  const label = useLabel();
  const [page, setPage] = useState(1);
  const [selected, setSelected] = useState<number>();
  const { change, undo, rest, canUndo } = useUndo(all, onChange);
  const size = file.pages[page - 1] ?? { width: 210, height: 297 };
  const preview = usePreview(draft, driver ? page : 0);
  const filled = driver !== "" && preview.isSuccess && !preview.isPlaceholderData;
  const tried = useAddress(filled ? preview.data.picture : undefined);
  const empty = usePDFPage(file.id, page, !filled);
  const refused = preview.error ?? problem;
  const wrong = wrongAt((refused?.fields ?? []).map(({ name }) => name));
  const at = selected !== undefined && all[selected]?.page === page ? selected : undefined;
  const here = all.flatMap((one, n) => (one.page === page ? [{ one, n }] : []));

  const put = (n: number, to: Placement, what: string) =>
    change(
      all.map((one, other) => (other === n ? to : one)),
      `${n} ${what}`,
    );
  const add = (kind: Placement["kind"], name: string) => {
    flushSync(() => change([...all, added(kind, name, page, size, all)]));
    setSelected(all.length);
    // the menu that closes gives the focus back to its button first
    requestAnimationFrame(() => focusOn(all.length));
  };
  const remove = (n: number) => {
    flushSync(() => change(all.filter((_, other) => other !== n)));
    setSelected(undefined);
    const near = here.findLast((one) => one.n < n) ?? here.find((one) => one.n > n);
    if (near) focusOn(near.n > n ? near.n - 1 : near.n);
  };
  return (
    <>
      <div className={styles.placeBar}>
        <PlacementMenu onAdd={add} />
        <Button disabled={!canUndo} onClick={undo}>
          {t("undo")}
        </Button>
        <span className={styles.placePager}>
          <Button
            icon={<ChevronLeft aria-hidden size={16} strokeWidth={1.75} />}
            aria-label={t("previousPage")}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          />
          <span>{t("pageOf", { page, of: file.pages.length })}</span>
          <Button
            icon={<ChevronRight aria-hidden size={16} strokeWidth={1.75} />}
            aria-label={t("nextPage")}
            disabled={page === file.pages.length}
            onClick={() => setPage(page + 1)}
          />
        </span>
      </div>
      <div className={styles.placeColumns}>
        <PlacementSheet
          picture={filled ? tried : empty}
          page={page}
          size={size}
          all={all}
          selected={at}
          wrong={wrong}
          filled={filled}
          onSelect={setSelected}
          onChange={(n, to) => put(n, to, "place")}
          onRest={rest}
          onRemove={remove}
          onUndo={undo}
        />
        <div className={styles.placeSide}>
          {at !== undefined && all[at] && (
            <PlacementDetails
              of={all[at]}
              size={size}
              wrong={wrong.has(at)}
              onChange={(to, what) => put(at, to, what)}
              onRemove={() => remove(at)}
            />
          )}
          <TryWith driver={driver} onDriver={onDriver} missing={preview.data?.missing ?? []} text="lackingPDF" />
          <NoRoom problem={preview.error} all={all} />
          <section aria-labelledby="fields-here">
            <h3 id="fields-here">{t("fieldList")}</h3>
            {here.length === 0 && <p>{t("noFields")}</p>}
            <ul>
              {here.map(({ one, n }) => (
                <li key={n}>
                  <button
                    type="button"
                    aria-pressed={at === n}
                    data-wrong={wrong.has(n) || undefined}
                    onClick={() => focusOn(n)}
                  >
                    {label(one)}
                  </button>
                </li>
              ))}
            </ul>
            <p>{t("keysHint")}</p>
          </section>
        </div>
      </div>
    </>
  );
}

/** A value that does not fit, by its name. */
function NoRoom({ problem, all }: { problem: Problem | null; all: readonly Placement[] }) {
  const { t } = useTranslation("contractTexts");
  const label = useLabel();
  const [at] = wrongAt((problem?.fields ?? []).map(({ name }) => name));
  const one = at === undefined ? undefined : all[at];
  if (problem?.code !== "contracts.no_room" || !one) return undefined;
  return (
    <p role="alert" className={styles.noRoom}>
      {t("noRoom", { name: label(one), page: one.page })}
    </p>
  );
}
