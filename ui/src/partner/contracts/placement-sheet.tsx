import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useTranslation } from "../../i18n/translation";
import type { Placement, SheetSize } from "./pdf-calls";
import { actOf, moved, resized } from "./placements";
import { useLabel } from "./use-label";
import styles from "./contracts.module.css";

interface PlacementSheetProps {
  /** The picture of the page; undefined while it is made, empty where it cannot be shown. */
  picture: string | undefined;
  page: number;
  size: SheetSize;
  all: readonly Placement[];
  selected: number | undefined;
  wrong: ReadonlySet<number>;
  /** Whether the picture has the values of a driver already. */
  filled: boolean;
  onSelect: (at: number) => void;
  onChange: (at: number, to: Placement) => void;
  onRest: () => void;
  onRemove: (at: number) => void;
  onUndo: () => void;
}

interface Drag {
  at: number;
  of: Placement;
  x: number;
  y: number;
  resizes: boolean;
}

/** One page with its fields: dragged by pointer, moved and resized by keys. */
export function PlacementSheet(props: PlacementSheetProps) {
  const { t } = useTranslation("contractTexts");
  const label = useLabel();
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  const { page, size, all } = props;
  const percent = (mm: number, of: number) => `${(100 * mm) / of}%`;
  const nameOf = (one: Placement) => t("fieldAt", { name: label(one), x: one.x, y: one.y, w: one.w, h: one.h });

  const press = (event: KeyboardEvent, at: number, one: Placement) => {
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    if (act === "remove") props.onRemove(at);
    else if (act === "undo") props.onUndo();
    else props.onChange(at, "move" in act ? moved(one, ...act.move, size) : resized(one, ...act.resize, size));
  };
  const grab = (event: PointerEvent<HTMLElement>, at: number, of: Placement) => {
    if (event.button !== 0) return;
    props.onSelect(at);
    props.onRest();
    event.currentTarget.setPointerCapture(event.pointerId);
    const resizes = (event.target as HTMLElement).dataset.corner !== undefined;
    drag.current = { at, of, x: event.clientX, y: event.clientY, resizes };
  };
  const pull = (event: PointerEvent) => {
    const held = drag.current;
    const wide = sheet.current?.clientWidth;
    if (!held || !wide) return;
    const mm = size.width / wide;
    const by = [(event.clientX - held.x) * mm, (event.clientY - held.y) * mm] as const;
    props.onChange(held.at, held.resizes ? resized(held.of, ...by, size) : moved(held.of, ...by, size));
  };
  const drop = () => {
    drag.current = undefined;
    props.onRest();
  };
  return (
    <div
      ref={sheet}
      className={styles.placeSheet}
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      aria-busy={props.picture === undefined}
    >
      {props.picture ? (
        <img src={props.picture} alt={t("pageEmpty", { page })} draggable={false} />
      ) : (
        props.picture === "" && <p>{t("pageFailedPDF")}</p>
      )}
      {all.map((one, at) => {
        if (one.page !== page) return undefined;
        return (
          <button
            // A field is known by its place in the list: two may hold the same.
            key={at}
            type="button"
            id={`field-${at}`}
            aria-label={nameOf(one)}
            aria-pressed={props.selected === at}
            className={styles.placeField}
            data-kind={one.kind}
            data-wrong={props.wrong.has(at) || undefined}
            data-filled={props.filled || undefined}
            style={{
              left: percent(one.x, size.width),
              top: percent(one.y, size.height),
              width: percent(one.w, size.width),
              height: percent(one.h, size.height),
            }}
            onFocus={() => props.onSelect(at)}
            onBlur={props.onRest}
            onKeyDown={(event) => press(event, at, one)}
            onPointerDown={(event) => grab(event, at, one)}
            onPointerMove={pull}
            onPointerUp={drop}
            onPointerCancel={drop}
          >
            {!props.filled && <span>{label(one)}</span>}
            <i data-corner="" aria-hidden />
          </button>
        );
      })}
    </div>
  );
}
