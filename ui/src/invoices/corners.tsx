import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Notice } from "../components/notice";
import { fitted } from "./shrink";
import { type Corners as Four, isPage, type Point, straightened } from "./straighten";
import styles from "./corners.module.css";

/** Where the corners stand until somebody moves them: a little inside the picture, where a thumb gets hold of them. */
const BEGIN: Four = [
  { x: 0.06, y: 0.06 },
  { x: 0.94, y: 0.06 },
  { x: 0.94, y: 0.94 },
  { x: 0.06, y: 0.94 },
];
const NAMES = ["topLeft", "topRight", "bottomRight", "bottomLeft"] as const;
const nameOf = (n: number) => NAMES[n] ?? "topLeft";

/** How far an arrow key moves a corner, alone and with Shift. */
const STEP = 0.005;
const LEAP = 0.05;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const within = (part: number) => Math.min(1, Math.max(0, part));
const percent = (part: number) => `${part * 100}%`;

interface CornersProps {
  file: File;
  /** Where the picture can be seen. */
  src: string;
  onStraight: (file: File) => void;
  onClose: () => void;
}

/** The four corners of a page on a photo, moved by thumb, mouse or keys; what lies between them is made straight on the device. */
export default function Corners({ file, src, onStraight, onClose }: CornersProps) {
  const { t } = useTranslation("invoices");
  const frame = useRef<HTMLDivElement>(null);
  const [corners, setCorners] = useState(BEGIN);
  const [state, setState] = useState<"" | "busy" | "failed">("");
  const move = (n: number, { x, y }: Point) =>
    setCorners((now) => now.map((one, m) => (m === n ? { x: within(x), y: within(y) } : one)) as unknown as Four);
  const drag = (n: number) => (event: PointerEvent<HTMLButtonElement>) => {
    if (!frame.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, top, width, height } = frame.current.getBoundingClientRect();
    move(n, { x: (event.clientX - left) / width, y: (event.clientY - top) / height });
  };
  const step =
    (n: number, { x, y }: Point) =>
    (event: KeyboardEvent) => {
      const by = ARROWS[event.key];
      if (!by) return;
      event.preventDefault();
      const far = event.shiftKey ? LEAP : STEP;
      move(n, { x: x + by.x * far, y: y + by.y * far });
    };
  const labelOf = (n: number) => t(`corner_${nameOf(n)}`);
  const fine = isPage(corners);
  const straight = async () => {
    setState("busy");
    const made = await straightFile(file, corners).catch(() => undefined);
    if (made) onStraight(made);
    else setState("failed");
  };
  return (
    <Dialog title={t("cornersTitle")} onClose={onClose}>
      <div className={styles.corners}>
        <p>{t("cornersHint")}</p>
        <div ref={frame} className={styles.frame}>
          <img src={src} alt={t("pictureOf")} draggable={false} />
          <svg aria-hidden viewBox="0 0 1 1" preserveAspectRatio="none" data-wrong={!fine || undefined}>
            <polygon points={corners.map(({ x, y }) => `${x},${y}`).join(" ")} />
          </svg>
          {corners.map((point, n) => (
            <button
              key={nameOf(n)}
              type="button"
              aria-label={labelOf(n)}
              style={{ left: percent(point.x), top: percent(point.y) }}
              onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
              onPointerMove={drag(n)}
              onKeyDown={step(n, point)}
            />
          ))}
        </div>
        {!fine && <Notice tone="warning">{t("cornersWrong")}</Notice>}
        {state === "failed" && <Notice tone="danger">{t("file_unreadable")}</Notice>}
        <Button kind="primary" size="large" block onClick={onClose}>
          {t("asItIs")}
        </Button>
        <Button size="large" block disabled={!fine} loading={state === "busy"} onClick={() => void straight()}>
          {t("straighten")}
        </Button>
      </div>
    </Dialog>
  );
}

const QUALITY = 0.9;

/** The page between the corners as a file of its own. */
async function straightFile(file: File, corners: Four): Promise<File | undefined> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const { width, height } = fitted(bitmap.width, bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const page = straightened(context.getImageData(0, 0, width, height), corners);
  canvas.width = page.width;
  canvas.height = page.height;
  const image = context.createImageData(page.width, page.height);
  image.data.set(page.data);
  context.putImageData(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  return blob ? new File([blob], file.name, { type: "image/jpeg" }) : undefined;
}
