import { Eraser } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { BOX, INK, pathOf, pointAt, type Stroke } from "./strokes";
import styles from "./contracts.module.css";

interface SignaturePadProps {
  strokes: readonly Stroke[];
  onChange: (strokes: readonly Stroke[]) => void;
}

/** A box to draw a signature in. Lines are kept as points, so they are drawn anew in a box of any size: a phone may be turned. */
export function SignaturePad({ strokes, onChange }: SignaturePadProps) {
  const { t } = useTranslation("contractWizard");
  const [drawing, setDrawing] = useState<Stroke>();
  const line = useRef<[number, number][]>(undefined);
  const end = () => {
    if (!line.current) return;
    onChange([...strokes, line.current]);
    line.current = undefined;
    setDrawing(undefined);
  };
  const all = drawing ? [...strokes, drawing] : strokes;
  return (
    <div className={styles.pad}>
      <svg
        role="img"
        aria-label={t(strokes.length > 0 ? "padDrawn" : "padEmpty")}
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        onPointerDown={(event) => {
          if (line.current || event.button > 0) return;
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          line.current = [pointAt(event, event.currentTarget.getBoundingClientRect())];
          setDrawing([...line.current]);
        }}
        onPointerMove={(event) => {
          if (!line.current) return;
          const box = event.currentTarget.getBoundingClientRect();
          const moves = event.nativeEvent.getCoalescedEvents();
          for (const one of moves.length > 0 ? moves : [event.nativeEvent]) line.current.push(pointAt(one, box));
          setDrawing([...line.current]);
        }}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <path className={styles.padLine} d={`M40 ${BOX.height - 60}H${BOX.width - 40}`} />
        {all.map((stroke, n) => (
          <path key={n} className={styles.ink} strokeWidth={INK} d={pathOf(stroke)} />
        ))}
      </svg>
      <Button
        kind="text"
        icon={<Eraser aria-hidden size={16} strokeWidth={1.75} />}
        disabled={strokes.length === 0}
        onClick={() => onChange([])}
      >
        {t("clear")}
      </Button>
    </div>
  );
}
