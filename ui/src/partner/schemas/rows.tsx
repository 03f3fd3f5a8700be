import { Form, Input, Select } from "antd";
import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { currencySign } from "../../format/money";
import { useLanguage } from "../../i18n";
import { useReadable, useRequired } from "./fields";
import type { Values } from "./values";

const COSTS_MAX = 20;
const BANDS_MAX = 50;

/** Costs that are charged under names of their own. */
export function AdditionalCosts({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation("schemas");
  const sign = currencySign(useConfig().currency, useLanguage()).trim();
  const readable = useReadable("amount");
  const required = useRequired();
  return (
    <Form.List name="additionalCosts">
      {(rows, { add, remove }) => (
        <div className="schema-rows" role="group" aria-label={t("additionalCosts")}>
          <h3>{t("additionalCosts")}</h3>
          <p className="schema-note">{t("additionalCostsHelp")}</p>
          {rows.map(({ key, name }, index) => (
            <div
              key={key}
              className="schema-row schema-row-cost"
              role="group"
              aria-label={t("costRow", { number: index + 1 })}
            >
              <Form.Item name={[name, "name"]} label={t("costName")} rules={[required]}>
                <Input autoComplete="off" />
              </Form.Item>
              <Form.Item name={[name, "amount"]} label={t("costAmount")} rules={[required, readable]}>
                <Input inputMode="decimal" autoComplete="off" suffix={sign} />
              </Form.Item>
              {!disabled && <RemoveRow label={t("removeCost", { number: index + 1 })} onClick={() => remove(name)} />}
            </div>
          ))}
          {!disabled && rows.length < COSTS_MAX && (
            <AddRow label={t("addCost")} onClick={() => add({ name: "", amount: "" })} />
          )}
        </div>
      )}
    </Form.List>
  );
}

/** Costs that depend on the revenue, band by band. */
export function CostRates({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation("schemas");
  return (
    <Form.List name="costRates">
      {(rows, { add, remove }) => (
        <div className="schema-rows" role="group" aria-label={t("costRates")}>
          {rows.map(({ key, name }, index) => (
            <div
              key={key}
              className="schema-row schema-row-band"
              role="group"
              aria-label={t("bandRow", { number: index + 1 })}
            >
              <Band at={name} />
              {!disabled && <RemoveRow label={t("removeBand", { number: index + 1 })} onClick={() => remove(name)} />}
            </div>
          ))}
          {rows.length === 0 && <p className="schema-note">{t("noBands")}</p>}
          {!disabled && rows.length < BANDS_MAX && (
            <AddRow
              label={t("addBand")}
              onClick={() => add({ type: "PERCENT", incomeFrom: "", incomeTo: "", rate: "" })}
            />
          )}
        </div>
      )}
    </Form.List>
  );
}

function Band({ at }: { at: number }) {
  const { t } = useTranslation("schemas");
  const sign = currencySign(useConfig().currency, useLanguage()).trim();
  const type = Form.useWatch<Values["costRates"][number]["type"] | undefined>(["costRates", at, "type"]);
  const amount = useReadable("amount");
  const percent = useReadable("percent");
  const required = useRequired();
  return (
    <>
      <Form.Item name={[at, "type"]} label={t("bandType")}>
        <Select
          options={[
            { value: "PERCENT", label: t("PERCENT") },
            { value: "MARGINAL", label: t("MARGINAL") },
            { value: "AMOUNT", label: t("AMOUNT") },
          ]}
        />
      </Form.Item>
      <Form.Item name={[at, "incomeFrom"]} label={t("incomeFrom")} rules={[required, amount]}>
        <Input inputMode="decimal" autoComplete="off" suffix={sign} />
      </Form.Item>
      <Form.Item name={[at, "incomeTo"]} label={t("incomeTo")} rules={[amount]}>
        <Input inputMode="decimal" autoComplete="off" suffix={sign} placeholder={t("noEnd")} />
      </Form.Item>
      <Form.Item name={[at, "rate"]} label={t("rate")} rules={[required, type === "AMOUNT" ? amount : percent]}>
        <Input inputMode="decimal" autoComplete="off" suffix={type === "AMOUNT" ? sign : "%"} />
      </Form.Item>
    </>
  );
}

function AddRow({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button icon={<Plus aria-hidden size={16} strokeWidth={1.75} />} onClick={onClick}>
      {label}
    </Button>
  );
}

function RemoveRow({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button
      kind="text"
      className="schema-row-remove"
      icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
      aria-label={label}
      onClick={onClick}
    />
  );
}
