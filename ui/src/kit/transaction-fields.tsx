import { Form, Input, Radio } from "antd";
import { useTranslation } from "../i18n/translation";
import { Problem } from "../api/problem";
import type { components } from "../api/schema";
import { Notice } from "../components/notice";
import { today } from "../format/date";
import { parseHundredths } from "../format/hundredths";
import { currencySign, money } from "../format/money";
import { useLanguage } from "../i18n";
import type { Language } from "../i18n/languages";
import { useConfig } from "../session/config";

type Transaction = components["schemas"]["Transaction"];

const KINDS = ["cost", "internal", "invoice"] as const;

/** What a form holds of a transaction that is entered by hand. */
export interface TransactionValues {
  kind?: (typeof KINDS)[number];
  amount?: string;
  payment?: string;
  occurredOn?: string;
  name?: string;
  reason?: string;
  description?: string;
}

/** What the server is given of it; an amount that cannot be read is refused here. */
export function transactionOf({ kind = "cost", amount: typed = "", ...values }: TransactionValues, language: Language) {
  const amount = parseHundredths(typed, language);
  if (amount === undefined)
    throw new Problem("transactions.invalid", {
      fields: [{ name: "amount", code: typed.trim() ? "wrong_format" : "required" }],
    });
  const { payment = "", occurredOn = "", name = "", reason = "", description = "" } = values;
  return { kind, amount, payment, occurredOn, name: name.trim(), reason, description };
}

/** The fields of a transaction that is entered by hand, or changed. */
export function TransactionFields({ row }: { row?: Transaction | undefined }) {
  const { t } = useTranslation("transactions");
  const language = useLanguage();
  const { currency, timeZone } = useConfig();
  const form = Form.useFormInstance<TransactionValues>();
  const chosen = Form.useWatch("kind", form);
  const kind = (row?.kind === "" ? undefined : row?.kind) ?? chosen ?? "cost";
  const now = today(timeZone);
  const future = (Form.useWatch("occurredOn", form) ?? "") > now;
  const entered = row && (row.kind === "cost" ? -row.amount : row.amount);
  return (
    <>
      {!row && (
        <Form.Item name="kind" label={t("kind")} initialValue="cost">
          <Radio.Group aria-label={t("kind")}>
            {KINDS.map((name) => (
              <Radio key={name} value={name}>
                {t(`kind_${name}`)}
              </Radio>
            ))}
          </Radio.Group>
        </Form.Item>
      )}
      <Form.Item
        name="amount"
        label={t("amount")}
        extra={
          <>
            {t("amountHelp")}
            {". "}
            {t(`kindHelp_${kind}`)}
          </>
        }
        initialValue={entered === undefined ? "" : money(BigInt(entered), language)}
      >
        <Input autoComplete="off" inputMode="decimal" suffix={currencySign(currency, language).trim()} />
      </Form.Item>
      <Form.Item
        name="payment"
        label={t("payment")}
        extra={t("cashHelp")}
        initialValue={row?.payment === "cash" ? "cash" : "card"}
      >
        <Radio.Group aria-label={t("payment")}>
          <Radio value="card">{t("card")}</Radio>
          <Radio value="cash">{t("cash")}</Radio>
        </Radio.Group>
      </Form.Item>
      <Form.Item name="occurredOn" label={t("date")} initialValue={row?.occurredOn ?? now}>
        <Input type="date" />
      </Form.Item>
      {future && <Notice tone="warning">{t("future")}</Notice>}
      <Form.Item name="name" label={t("name")} extra={t("nameHelp")} initialValue={row?.name ?? ""}>
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="reason"
        label={t("reason")}
        initialValue={row?.reason ?? ""}
        {...(kind === "cost" && { extra: t("reasonHelp") })}
      >
        <Input.TextArea autoSize={{ minRows: 2 }} />
      </Form.Item>
      <Form.Item name="description" label={t("description")} initialValue={row?.description ?? ""}>
        <Input autoComplete="off" />
      </Form.Item>
    </>
  );
}
