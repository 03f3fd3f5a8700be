import { useId, useRef } from "react";
import { useTranslation } from "../../i18n/translation";
import type { Problem } from "../../api/problem";
import { usePreview } from "./calls";
import { MarkedArea } from "./marked-area";
import { missingMarks, offsetOf, type Place, placesOf, wrongMark } from "./places";
import { TextInsert } from "./text-insert";
import { TextPages } from "./text-pages";
import styles from "./contracts.module.css";

interface TextBodyProps {
  body: string;
  /** What is looked at: the text as it was when somebody rested. */
  shown: Parameters<typeof usePreview>[0];
  problem: Problem | null;
  driver: string;
  onDriver: (id: string) => void;
  onChange: (body: string) => void;
}

/** The text at the left, its pages at the right. What cannot be printed is marked where it stands, and so is what a driver lacks. */
export function TextBody({ body, shown, problem, driver, onDriver, onChange }: TextBodyProps) {
  const { t } = useTranslation("contractTexts");
  const area = useRef<HTMLTextAreaElement>(null);
  const label = useId();
  const preview = usePreview(shown, 1);
  const places = placesOf(shown.body === body ? (preview.error ?? problem) : problem);
  const marks = [
    ...places.map((place) => wrongMark(body, place)),
    ...(driver && !preview.error ? missingMarks(body, preview.data?.missing ?? []) : []),
  ];
  const put = (words: string) => {
    const { selectionStart = body.length, selectionEnd = body.length } = area.current ?? {};
    onChange(body.slice(0, selectionStart) + words + body.slice(selectionEnd));
    const after = selectionStart + words.length;
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(after, after);
    });
  };
  const goTo = (place: Place) => {
    const { from, to } = wrongMark(body, place);
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
    const line = body.slice(0, offsetOf(body, place)).split("\n").length;
    if (area.current) area.current.scrollTop = Math.max(0, (line - 5) * 20);
  };
  return (
    <div className={styles.editor}>
      <section aria-labelledby={label}>
        <h2 id={label} className={styles.heading}>
          {t("text")}
        </h2>
        <TextInsert onPut={put} />
        <MarkedArea
          area={area}
          aria-labelledby={label}
          {...(places.length > 0 && { "aria-invalid": true })}
          maxLength={60_000}
          value={body}
          marks={marks}
          onChange={({ target }) => onChange(target.value)}
        />
        {places.length > 0 && (
          <ul className={styles.wrong} aria-label={t("wrongPlaces")}>
            {places.map((place) => (
              <li key={`${place.line} ${place.column} ${place.code}`}>
                <button type="button" onClick={() => goTo(place)}>
                  {t("lineColumn", { line: place.line, column: place.column })}
                </button>{" "}
                {t(`wrong_${place.code as "mark"}`)}
              </li>
            ))}
          </ul>
        )}
        <p className={styles.quiet}>{t("marksHint")}</p>
      </section>
      <TextPages draft={shown} first={preview} driver={driver} onDriver={onDriver} />
    </div>
  );
}
