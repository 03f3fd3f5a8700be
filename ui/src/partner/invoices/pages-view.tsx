import { ChevronLeft, ChevronRight, RotateCw, ZoomIn, ZoomOut } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { type Opened, usePreview } from "../../invoices/calls";
import { FIELDS, type FieldName } from "../../invoices/fields";
import type { Draft } from "../../invoices/form";
import { type Mark, Picture } from "../../invoices/picture";
import styles from "./invoices.module.css";

const ZOOMS = [1, 1.5, 2, 3];
const WIDTH = 1600;

/** The pages of an invoice: enlarged, turned, with the places of what was read. The page of the field that is looked at opens by itself. */
export function PagesView({ invoice, draft, at }: { invoice: Opened; draft: Draft; at: FieldName | undefined }) {
  const { t } = useTranslation("invoices");
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState(0);
  const [turned, setTurned] = useState(0);
  const src = usePreview(invoice, page, WIDTH);
  const wanted = at && draft.read[at]?.page;
  const [followed, setFollowed] = useState<number>();
  if (wanted && wanted !== followed) {
    setFollowed(wanted);
    setPage(wanted);
  }
  const marks = FIELDS.flatMap((name): Mark[] => {
    const one = draft.read[name];
    return one?.page === page ? [{ box: one.box, active: name === at }] : [];
  });
  const icon = { "aria-hidden": true, size: 18, strokeWidth: 1.75 } as const;
  const pages = Math.max(1, invoice.pages);
  return (
    <section className={styles.view} aria-label={t("pictureOf")}>
      <div className={styles.tools} role="group" aria-label={t("pictureTools")}>
        <Button
          aria-label={t("zoomIn")}
          icon={<ZoomIn {...icon} />}
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(zoom + 1)}
        />
        <Button
          aria-label={t("zoomOut")}
          icon={<ZoomOut {...icon} />}
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        />
        <Button aria-label={t("turn")} icon={<RotateCw {...icon} />} onClick={() => setTurned((turned + 1) % 4)} />
        {pages > 1 && (
          <>
            <Button
              aria-label={t("pagePrevious")}
              icon={<ChevronLeft {...icon} />}
              disabled={page === 1}
              onClick={() => setPage(page - 1)}
            />
            <span>{t("pageOf", { page, pages })}</span>
            <Button
              aria-label={t("pageNext")}
              icon={<ChevronRight {...icon} />}
              disabled={page === pages}
              onClick={() => setPage(page + 1)}
            />
          </>
        )}
      </div>
      {/* What is larger than its frame is moved by arrow keys too. */}
      <div className={styles.frame} tabIndex={0} role="group" aria-label={t("pageOf", { page, pages })}>
        {src === undefined ? (
          <span className="bar" />
        ) : (
          <Picture src={src} alt={t("pageOf", { page, pages })} marks={marks} turned={turned} zoom={ZOOMS[zoom] ?? 1} />
        )}
      </div>
    </section>
  );
}
