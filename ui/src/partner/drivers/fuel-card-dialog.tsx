import { useState } from "react";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Field } from "../../components/field";
import { Refusal } from "../../components/refusal";
import { parseHundredths } from "../../format/hundredths";
import { money } from "../../format/money";
import { type Card, type CardLimits, useSaveCard } from "../../fuel/calls";
import { litres } from "../../fuel/figures";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import styles from "./driver-fuel.module.css";

/** What is typed as a number, by how much a hundredth of it is of what is kept. */
const NUMBERS = { tank: 10, day: 10, month: 10, monthAmount: 1, discount: 1 } as const;
type Name = keyof typeof NUMBERS;
const NAMES = Object.keys(NUMBERS) as Name[];

/** The car and the limits of a card, as the partner knows them. */
export function FuelCardDialog({ driver, card, onClose }: { driver: string; card: Card; onClose: () => void }) {
  const { t } = useTranslation(["fuel", "common", "fields"]);
  const language = useLanguage();
  const { sign } = useAmounts();
  const save = useSaveCard(driver, card.id);
  const done = useDoneToast();
  // As the person saw it: what a colleague saves meanwhile is read again, and refuses this.
  const [limits] = useState(card.limits);
  const [texts, setTexts] = useState(() => ({
    plate: limits.plate,
    validFrom: limits.validFrom,
    validTo: limits.validTo,
    ...(Object.fromEntries(
      NAMES.map((name) => {
        const value = limits[name];
        if (value === 0) return [name, ""];
        return [name, NUMBERS[name] === 1 ? money(BigInt(value), language) : litres(value, language, 0)];
      }),
    ) as Record<Name, string>),
  }));
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const errorOf = (name: keyof typeof texts) => {
    if (wrong.includes(name)) return t("fields:invalid");
    const field = save.error?.fields.find((one) => one.name === name);
    return field && t(`fields:${field.code}`, { replace: field.params ?? {} });
  };
  const field = (name: keyof typeof texts, label: string, kind: "text" | "number" | "date", hint?: string) => (
    <Field label={label} hint={hint} error={errorOf(name)}>
      {(control) => (
        <input
          {...control}
          type={kind === "date" ? "date" : "text"}
          inputMode={kind === "number" ? "decimal" : undefined}
          autoComplete="off"
          maxLength={20}
          value={texts[name]}
          onChange={({ target }) => setTexts((before) => ({ ...before, [name]: target.value }))}
        />
      )}
    </Field>
  );
  const send = () => {
    const read = NAMES.map((name) => {
      const value = texts[name].trim() === "" ? 0 : parseHundredths(texts[name], language);
      return { name, value: value === undefined || value < 0 ? undefined : value * NUMBERS[name] };
    });
    const unread = read.filter(({ value }) => value === undefined).map(({ name }) => name);
    setWrong(unread);
    if (unread.length > 0) return;
    const numbers = Object.fromEntries(read.map(({ name, value }) => [name, value])) as Pick<CardLimits, Name>;
    const { plate, validFrom, validTo } = texts;
    save.mutate(
      { version: limits.version, plate: plate.trim(), validFrom, validTo, ...numbers },
      {
        onSuccess: () => {
          done(t("saved", { number: card.number }));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={t("editOf", { number: card.number })} onClose={onClose}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {save.error && <Refusal problem={save.error} undone={t("unsaved")} />}
        {field("plate", t("plate"), "text")}
        {field("tank", t("tank"), "number", t("tankHint"))}
        {field("day", t("limitDayLitres"), "number")}
        {field("month", t("limitMonthLitres"), "number")}
        {field("monthAmount", t("limitMonthAmount", { currency: sign.trim() }), "number")}
        {field("discount", t("discount", { currency: sign.trim() }), "number")}
        {field("validFrom", t("fieldFrom"), "date")}
        {field("validTo", t("fieldTo"), "date")}
        <div className={styles.foot}>
          <Button onClick={onClose} disabled={save.isPending}>
            {t("common:cancel")}
          </Button>
          <Button kind="primary" type="submit" loading={save.isPending}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
