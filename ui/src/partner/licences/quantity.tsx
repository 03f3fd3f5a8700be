import { Minus, Plus } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "../../i18n/translation";
import styles from "./licences.module.css";

interface QuantityProps {
  typed: string;
  min: number;
  max: number;
  /** The number that is typed; undefined: it is none of those that can be bought. */
  quantity: number | undefined;
  onType: (typed: string) => void;
}

/** How many pieces, typed or by buttons. */
export function Quantity({ typed, min, max, quantity, onType }: QuantityProps) {
  const { t } = useTranslation("licences");
  const id = useId();
  const now = Number(typed) || 0;
  const to = (number: number) => onType(String(Math.min(max, Math.max(min, number))));
  return (
    <div className={styles.quantity}>
      <label htmlFor={id}>{t("quantity")}</label>
      <div>
        <button type="button" aria-label={t("fewer")} disabled={now <= min} onClick={() => to(now - 1)}>
          <Minus aria-hidden size={16} strokeWidth={1.75} />
        </button>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => onType(target.value.trim())}
          onKeyDown={(event) => {
            const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
            if (!step) return;
            event.preventDefault();
            to(now + step);
          }}
          aria-describedby={quantity === undefined ? `${id}-wrong` : undefined}
          aria-invalid={quantity === undefined}
        />
        <button type="button" aria-label={t("more")} disabled={now >= max} onClick={() => to(now + 1)}>
          <Plus aria-hidden size={16} strokeWidth={1.75} />
        </button>
      </div>
      {quantity === undefined && (
        <p id={`${id}-wrong`} className={styles.wrong} role="alert">
          {t("quantityWrong", { min, max })}
        </p>
      )}
    </div>
  );
}
