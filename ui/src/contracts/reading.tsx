import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "../components/button";
import { useLanguage } from "../i18n";
import { type Answers, type Shown, type ToSign, usePage } from "./calls";
import styles from "./contracts.module.css";

interface ReadingProps {
  data: Answers;
  document: ToSign;
  shown: Shown;
  /** What is opened after it. */
  next: { name: string; open: () => void } | undefined;
  /** How far it was looked at. */
  onClose: (pages: number, ms: number) => void;
}

/** A document over the whole screen: its pages as pictures, and its words for who reads them or has them read aloud. */
export function Reading({ data, document, shown, next, onClose }: ReadingProps) {
  const { t } = useTranslation("contractWizard");
  const dialog = useRef<HTMLDialogElement>(null);
  const [asText, setAsText] = useState(false);
  const [reached, setReached] = useState(1);
  const [began] = useState(() => Date.now());
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => onClose(asText ? shown.pages : reached, Date.now() - began);
  return (
    <dialog ref={dialog} className={styles.reading} aria-label={document.name} onCancel={close}>
      <header>
        <h2>{document.name}</h2>
        <Button kind="text" onClick={() => setAsText(!asText)}>
          {t(asText ? "asPages" : "asText")}
        </Button>
        <Button
          kind="text"
          aria-label={t("doneReading")}
          icon={<X aria-hidden size={20} strokeWidth={1.75} />}
          onClick={close}
        />
      </header>
      <div className={styles.sheets} tabIndex={-1}>
        {!asText &&
          Array.from({ length: shown.pages }, (_, n) => (
            <Sheet
              key={n}
              data={data}
              document={document}
              page={n + 1}
              pages={shown.pages}
              onSeen={() => setReached((before) => Math.max(before, n + 1))}
            />
          ))}
        <div className={asText ? styles.words : "sr-only"} lang={document.language}>
          {shown.lines.map((line, n) => {
            const heading = /^#+ (.*)$/s.exec(line);
            return heading ? <h3 key={n}>{heading[1]}</h3> : <p key={n}>{line}</p>;
          })}
        </div>
      </div>
      <footer>
        <Button
          kind="primary"
          size="large"
          block
          onClick={() => {
            close();
            next?.open();
          }}
        >
          {next ? t("nextDocument", { name: next.name }) : t("doneReading")}
        </Button>
      </footer>
    </dialog>
  );
}

interface SheetProps {
  data: Answers;
  document: ToSign;
  page: number;
  pages: number;
  onSeen: () => void;
}

/** A page; later ones are fetched when they come near. */
function Sheet({ data, document, page, pages, onSeen }: SheetProps) {
  const { t } = useTranslation("contractWizard");
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(page === 1 || !("IntersectionObserver" in window));
  const found = usePage(data, language, document.id, page, near);
  useEffect(() => {
    if (!place.current || !("IntersectionObserver" in window)) return;
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      setNear(true);
      onSeen();
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [onSeen]);
  const src = found.data;
  useEffect(
    () => () => {
      if (src) URL.revokeObjectURL(src);
    },
    [src],
  );
  return (
    <div ref={place} className={styles.sheet} aria-busy={near && found.isPending}>
      {src && <img src={src} alt={t("pageAlt", { name: document.name, page, pages })} />}
      {found.isError && <p>{t("pageFailed", { page })}</p>}
    </div>
  );
}
