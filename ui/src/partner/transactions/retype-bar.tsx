import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import type { Problem } from "../../api/problem";
import { money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { type Outcome, type Transaction, type TypeCode, useRetype, useTypes } from "./queries";

interface RetypeBarProps {
  rows: readonly Transaction[];
  onClear: () => void;
  onDone: (outcomes: readonly Outcome[]) => void;
  onFailed: (problem: Problem) => void;
}

/** Gives a type to the chosen rows; only types that every one of their providers can bring are offered. */
export function RetypeBar({ rows, onClear, onDone, onFailed }: RetypeBarProps) {
  const { t } = useTranslation("transactions");
  const language = useLanguage();
  const retype = useRetype();
  const types = useTypes().data ?? [];
  const [type, setType] = useState<TypeCode | "">("");
  const fitting = types.filter(({ carriers }) => rows.every(({ provider }) => carriers.includes(provider)));
  const sum = rows.reduce((total, { amount }) => total + BigInt(amount), 0n);
  return (
    <div className="transactions-bar" role="region" aria-label={t("newType")}>
      <strong>{t("selected", { count: rows.length })}</strong>
      <span>{money(sum, language)}</span>
      <select aria-label={t("newType")} value={type} onChange={({ target }) => setType(target.value as TypeCode)}>
        <option value="">{t("newType")}</option>
        {fitting.map((line) => (
          <option key={line.type} value={line.type}>
            {t(`type_${line.type}`)}
          </option>
        ))}
      </select>
      <span className="transactions-second">{t("rememberNote")}</span>
      <Button onClick={onClear}>{t("clearSelection")}</Button>
      <Button
        kind="primary"
        disabled={!type}
        loading={retype.isPending}
        onClick={() =>
          type && retype.mutate({ rows, type }, { onSuccess: ({ outcomes }) => onDone(outcomes), onError: onFailed })
        }
      >
        {t("giveType", { number: rows.length })}
      </Button>
    </div>
  );
}
