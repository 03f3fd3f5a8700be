import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { useTemplates } from "./calls";
import type { Placement, SheetSize } from "./pdf-calls";
import { fitted, LETTERS } from "./placements";
import { useLabel } from "./use-label";
import styles from "./contracts.module.css";

interface PlacementDetailsProps {
  of: Placement;
  size: SheetSize;
  wrong: boolean;
  onChange: (to: Placement, what: string) => void;
  onRemove: () => void;
}

const SIDES = ["driver", "partner"];
const NUMBERS = [
  ["x", "fromLeft"],
  ["y", "fromTop"],
  ["w", "width"],
  ["h", "height"],
] as const;

/** What stands in a field, and where, in numbers. */
export function PlacementDetails({ of, size, wrong, onChange, onRemove }: PlacementDetailsProps) {
  const { t } = useTranslation("contractTexts");
  const label = useLabel();
  const { data } = useTemplates();
  const names =
    of.kind === "signature" ? SIDES : ((of.kind === "check" ? data?.boxes : data?.placeholders) ?? [of.name]);
  return (
    <div className={styles.placeDetails}>
      <Field label={t("what")} error={wrong ? t("wrongField") : undefined}>
        {(control) => (
          <select
            {...control}
            value={of.name}
            onChange={({ target }) => onChange({ ...of, name: target.value }, "name")}
          >
            {of.name === "" && <option value="">{t("chooseValue")}</option>}
            {names.map((name) => (
              <option key={name} value={name}>
                {label({ kind: of.kind, name })}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className={styles.placeNumbers}>
        {NUMBERS.map(([name, text]) => (
          <Field key={name} label={t(text)}>
            {(control) => (
              <input
                {...control}
                type="number"
                step={0.5}
                min={0}
                value={of[name]}
                onChange={({ target }) => {
                  if (target.value !== "") onChange(fitted({ ...of, [name]: Number(target.value) }, size), name);
                }}
              />
            )}
          </Field>
        ))}
        {of.kind === "text" && (
          <Field label={t("letterSize")} hint={t("letterHint")}>
            {(control) => (
              <input
                {...control}
                type="number"
                min={LETTERS.least}
                max={LETTERS.most}
                value={of.size ?? LETTERS.usual}
                onChange={({ target }) => {
                  const points = Math.min(LETTERS.most, Math.max(LETTERS.least, Number(target.value) || LETTERS.usual));
                  onChange({ ...of, size: points }, "size");
                }}
              />
            )}
          </Field>
        )}
      </div>
      <Button danger onClick={onRemove}>
        {t("removeField")}
      </Button>
    </div>
  );
}
