import { FileText, LoaderCircle } from "lucide-react";
import type { CSSProperties } from "react";
import type { Box } from "./form";
import styles from "./picture.module.css";

/** A place on the page that is shown. */
export interface Mark {
  box: Box;
  /** Whether it is the one that somebody looks for. */
  active: boolean;
}

interface PictureProps {
  /** Where the page can be seen; empty: it cannot. */
  src: string;
  alt: string;
  marks?: readonly Mark[];
  /** How many quarter turns to the right. */
  turned?: number;
  zoom?: number;
}

const percent = (part: number) => `${part * 100}%`;

/** How much a small picture is enlarged to show one place. */
const CLOSE = 2.2;

/** One page with places marked on it. */
export function Picture({ src, alt, marks = [], turned = 0, zoom = 1 }: PictureProps) {
  if (!src)
    return (
      <span className={styles.none}>
        <FileText aria-hidden size={32} strokeWidth={1.5} />
        <span>{alt}</span>
      </span>
    );
  return (
    <div className={styles.page} style={{ width: percent(zoom), rotate: `${turned * 90}deg` }}>
      <img src={src} alt={alt} />
      {marks.map(({ box: [x0 = 0, y0 = 0, x1 = 0, y1 = 0], active }) => (
        <span
          key={`${x0} ${y0} ${x1} ${y1}`}
          aria-hidden
          className={active ? styles.active : styles.mark}
          style={{
            left: percent(x0),
            top: percent(y0),
            width: percent(x1 - x0),
            height: percent(y1 - y0),
          }}
        />
      ))}
    </div>
  );
}

/** A page in a small frame; where a place is looked for, that place enlarged in its middle. */
export function Glance({ src, alt, box }: { src: string | undefined; alt: string; box: Box | undefined }) {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box ?? [];
  const moved: CSSProperties | undefined = box && {
    transform: `scale(${CLOSE}) translate(${percent(0.5 - (x0 + x1) / 2)}, ${percent(0.5 - (y0 + y1) / 2)})`,
  };
  return (
    <div className={styles.glance}>
      <div className={styles.within} style={moved}>
        {src === undefined ? (
          <span className={styles.none}>
            <LoaderCircle aria-hidden size={24} strokeWidth={1.75} className="spin" />
          </span>
        ) : (
          <Picture src={src} alt={alt} {...(box && { marks: [{ box, active: true }] })} />
        )}
      </div>
    </div>
  );
}
