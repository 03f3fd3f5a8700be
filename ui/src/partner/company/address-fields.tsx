import { Form, Input, Select } from "antd";
import { useTranslation } from "../../i18n/translation";
import { useLanguage } from "../../i18n";
import { useChecks } from "./checks";
import { Section } from "../../components/section";
import { COUNTRIES, parsers, type Values } from "./values";

/** Where the company is, and where money goes to. */
export function AddressFields() {
  const { t } = useTranslation("partner");
  const language = useLanguage();
  const check = useChecks();
  const form = Form.useFormInstance<Values>();
  const names = new Intl.DisplayNames(language, { type: "region" });
  const countries = COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) =>
    a.label.localeCompare(b.label, language),
  );
  // An account is read in groups of four, whichever way it was typed.
  const group = () => {
    const parsed = parsers.account(form.getFieldValue("account") as string);
    if (parsed.ok) form.setFieldValue("account", parsed.display);
  };
  return (
    <Section title={t("address")} lead={t("addressLead")}>
      <Form.Item name={["address", "street"]} label={t("street")} rules={[check.longest(100)]}>
        <Input autoComplete="address-line1" />
      </Form.Item>
      <div className="profile-pair">
        <Form.Item name={["address", "houseNumber"]} label={t("houseNumber")} rules={[check.longest(20)]}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name={["address", "apartmentNumber"]} label={t("apartmentNumber")} rules={[check.longest(20)]}>
          <Input autoComplete="off" />
        </Form.Item>
      </div>
      <div className="profile-pair">
        <Form.Item
          name={["address", "postCode"]}
          label={t("postCode")}
          dependencies={[["address", "country"]]}
          rules={[check.postCode]}
        >
          <Input autoComplete="postal-code" />
        </Form.Item>
        <Form.Item name={["address", "city"]} label={t("city")} rules={[check.longest(100)]}>
          <Input autoComplete="address-level2" />
        </Form.Item>
      </div>
      <Form.Item name={["address", "country"]} label={t("country")}>
        <Select showSearch={{ optionFilterProp: "label" }} options={countries} />
      </Form.Item>
      <Form.Item name="account" label={t("account")} extra={t("accountHelp")} rules={[check.official(parsers.account)]}>
        <Input autoComplete="off" spellCheck={false} className="profile-account" onBlur={group} />
      </Form.Item>
    </Section>
  );
}
