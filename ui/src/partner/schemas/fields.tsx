import { Checkbox, Form, Input } from "antd";
import type { Rule, RuleObject } from "antd/es/form";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { parseHundredths } from "../../format/hundredths";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import type { Values } from "./values";

/** Only whether a number can be read: how large it may be the server says, with the bound. */
export function useReadable(kind: "amount" | "percent"): RuleObject {
  const { t } = useTranslation("schemas");
  const language = useLanguage();
  return {
    validator: (_, text: string | undefined) =>
      !text?.trim() || parseHundredths(text, language) !== undefined
        ? Promise.resolve()
        : Promise.reject(
            new Error(kind === "amount" ? t("wrongAmount", { example: money(123450n, language) }) : t("wrongPercent")),
          ),
  };
}

/** The rule of a field that must hold something. */
export function useRequired(): Rule {
  const { t } = useTranslation("fields");
  return { required: true, whitespace: true, message: t("required") };
}

interface NumberFieldProps {
  name: keyof Values | [keyof Values, string];
  label: string;
  help: string;
  /** Empty means that the rule is not used. */
  optional?: boolean;
}

/** An amount in the currency of the instance, typed as people write it. */
export function AmountField({ name, label, help, optional }: NumberFieldProps) {
  const { t } = useTranslation("schemas");
  const language = useLanguage();
  const { currency } = useConfig();
  const readable = useReadable("amount");
  const required = useRequired();
  return (
    <Form.Item name={name} label={label} extra={help} rules={optional ? [readable] : [required, readable]}>
      <Input
        className="schema-number"
        inputMode="decimal"
        autoComplete="off"
        suffix={currencySign(currency, language).trim()}
        {...(optional && { placeholder: t("none") })}
      />
    </Form.Item>
  );
}

/** A percent with up to two decimals. */
export function PercentField({ name, label, help }: NumberFieldProps) {
  const readable = useReadable("percent");
  const required = useRequired();
  return (
    <Form.Item name={name} label={label} extra={help} rules={[required, readable]}>
      <Input className="schema-number" inputMode="decimal" autoComplete="off" suffix="%" />
    </Form.Item>
  );
}

/** Something that is on or off. */
export function SwitchField({ name, label, help }: NumberFieldProps) {
  return (
    <Form.Item name={name} valuePropName="checked" extra={help}>
      <Checkbox>{label}</Checkbox>
    </Form.Item>
  );
}
