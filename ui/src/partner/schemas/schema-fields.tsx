import { Form, Input, Radio, Select } from "antd";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { useLanguage } from "../../i18n";
import { localeOf } from "../../i18n/languages";
import { Section } from "../../components/section";
import { AmountField, PercentField, SwitchField, useRequired } from "./fields";
import { AdditionalCosts, CostRates } from "./rows";

/** All fields of a schema, in parts, each with a sentence that says what it does to a settlement. */
export function SchemaFields({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation("schemas");
  return (
    <>
      <Basics />
      <Section title={t("costs")} lead={t("costsLead")}>
        <div className="schema-pair">
          <AmountField name="weeklyContractCost" label={t("weeklyContractCost")} help={t("weeklyContractCostHelp")} />
          <AmountField
            name="monthlyContractCost"
            label={t("monthlyContractCost")}
            help={t("monthlyContractCostHelp")}
          />
        </div>
        <AmountField name="settlementCost" label={t("settlementCost")} help={t("settlementCostHelp")} />
        <AdditionalCosts disabled={disabled} />
      </Section>
      <Section title={t("daily")} lead={t("dailyLead")}>
        <div className="schema-three">
          <AmountField name={["dailyFee", "UBER"]} label={t("feeUber")} help={t("feeHelp")} />
          <AmountField name={["dailyFee", "BOLT"]} label={t("feeBolt")} help={t("feeHelp")} />
          <AmountField name={["dailyFee", "FREENOW"]} label={t("feeFreeNow")} help={t("feeHelp")} />
        </div>
        <div className="schema-three">
          <AmountField name="maxFee1" label={t("maxFee1")} help={t("maxFee1Help")} optional />
          <AmountField name="maxFee2" label={t("maxFee2")} help={t("maxFee2Help")} optional />
          <AmountField name="maxFee3" label={t("maxFee3")} help={t("maxFee3Help")} optional />
        </div>
      </Section>
      <Section title={t("trips")} lead={t("tripsLead")}>
        <div className="schema-three">
          <AmountField name="tripSettlementCost" label={t("tripSettlementCost")} help={t("tripSettlementCostHelp")} />
          <AmountField name="tripFee" label={t("tripFee")} help={t("tripFeeHelp")} />
          <AmountField
            name="maxTripSettlementCost"
            label={t("maxTripSettlementCost")}
            help={t("maxTripSettlementCostHelp")}
            optional
          />
        </div>
      </Section>
      <Section title={t("rates")} lead={t("ratesLead")}>
        <CostRates disabled={disabled} />
      </Section>
      <Taxes />
      <Payout />
    </>
  );
}

function Basics() {
  const { t } = useTranslation(["schemas", "fields"]);
  const required = useRequired();
  const language = useLanguage();
  // 1 January 2024 was a Monday.
  const days = [1, 2, 3, 4, 5, 6, 7].map((value) => ({
    value,
    label: new Intl.DateTimeFormat(localeOf(language), { weekday: "long", timeZone: "UTC" }).format(
      new Date(Date.UTC(2024, 0, value)),
    ),
  }));
  return (
    <Section title={t("basics")} lead={t("basicsLead")}>
      <Form.Item
        name="name"
        label={t("name")}
        extra={t("nameHelp")}
        rules={[required, { max: 100, message: t("fields:too_long", { max: 100 }) }]}
      >
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item name="contractType" label={t("contractType")} extra={t("contractTypeHelp")}>
        <Radio.Group aria-label={t("contractType")} className="schema-choices">
          <Radio value="CIVIL_CONTRACT">{t("CIVIL_CONTRACT")}</Radio>
          <Radio value="B2B_NO_VAT">{t("B2B_NO_VAT")}</Radio>
          <Radio value="B2B_VAT">{t("B2B_VAT")}</Radio>
        </Radio.Group>
      </Form.Item>
      <Form.Item name="weekStartDay" label={t("weekStartDay")} extra={t("weekStartDayHelp")}>
        <Select className="schema-number" options={days} />
      </Form.Item>
    </Section>
  );
}

function Taxes() {
  const { t } = useTranslation("schemas");
  return (
    <Section title={t("taxes")} lead={t("taxesLead")}>
      <Form.Item name="vatMethod" label={t("vatMethod")} extra={t("vatMethodHelp")}>
        <Radio.Group aria-label={t("vatMethod")} className="schema-choices">
          <Radio value="INSIDE">{t("INSIDE")}</Radio>
          <Radio value="ON">{t("ON")}</Radio>
        </Radio.Group>
      </Form.Item>
      <InvoiceVat />
      <SwitchField name="vatSplit" label={t("vatSplit")} help={t("vatSplitHelp")} />
      <div className="schema-pair">
        <PercentField name="deductionRateBp" label={t("deductionRateBp")} help={t("deductionRateBpHelp")} />
        <PercentField name="depreciationRateBp" label={t("depreciationRateBp")} help={t("depreciationRateBpHelp")} />
      </div>
    </Section>
  );
}

/** The rate on a driver's invoice is a choice in Germany alone; elsewhere the field keeps its one value unseen. */
function InvoiceVat() {
  const { t } = useTranslation("schemas");
  const german = useConfig().instance === "de";
  const pays = Form.useWatch("contractType") === "B2B_VAT";
  return (
    <Form.Item name="invoiceVat" label={t("invoiceVat")} extra={t("invoiceVatHelp")} hidden={!german || !pays}>
      <Radio.Group aria-label={t("invoiceVat")} className="schema-choices">
        <Radio value="REDUCED">{t("REDUCED")}</Radio>
        <Radio value="STANDARD">{t("STANDARD")}</Radio>
        <Radio value="EXEMPT">{t("EXEMPT")}</Radio>
      </Radio.Group>
    </Form.Item>
  );
}

function Payout() {
  const { t } = useTranslation("schemas");
  return (
    <Section title={t("payout")} lead={t("payoutLead")}>
      <PercentField name="payoutRateBp" label={t("payoutRateBp")} help={t("payoutRateBpHelp")} />
      <Form.Item name="payoutOf" label={t("payoutOf")} extra={t("payoutOfHelp")}>
        <Radio.Group aria-label={t("payoutOf")} className="schema-choices">
          <Radio value="INCOME">{t("INCOME")}</Radio>
          <Radio value="REVENUE">{t("REVENUE")}</Radio>
        </Radio.Group>
      </Form.Item>
      <SwitchField name="payoutIncludesCash" label={t("payoutIncludesCash")} help={t("payoutIncludesCashHelp")} />
      <div className="schema-pair">
        <AmountField
          name="minContractIncome"
          label={t("minContractIncome")}
          help={t("minContractIncomeHelp")}
          optional
        />
        <AmountField name="minTransfer" label={t("minTransfer")} help={t("minTransferHelp")} />
      </div>
      <SwitchField name="autoNextPeriod" label={t("autoNextPeriod")} help={t("autoNextPeriodHelp")} />
    </Section>
  );
}
