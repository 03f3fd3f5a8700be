import { Form, Input, Select } from "antd";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { parsePhone } from "../../format/official/contact";
import { useChecks } from "./checks";
import { Section } from "../../components/section";
import { parsers, parseTaxId, type Values } from "./values";

/** What the company is called and how it is reached. */
export function CompanyFields({ country }: { country: string }) {
  const { t } = useTranslation("partner");
  const { instance } = useConfig();
  const check = useChecks();
  const form = Form.useFormInstance<Values>();
  // People type the address as they say it.
  const complete = () => {
    const www = form.getFieldValue("www") as string;
    if (/^[\w-]+(\.[\w-]+)+([/?#]\S*)?$/.test(www.trim())) {
      form.setFieldValue("www", `https://${www.trim()}`);
      void form.validateFields(["www"]).catch(() => undefined);
    }
  };
  return (
    <Section title={t("company")} lead={t("companyLead")}>
      <Form.Item name="name" label={t("name")} rules={[check.required, check.longest(150)]}>
        <Input autoComplete="organization" />
      </Form.Item>
      <Form.Item
        name="taxId"
        label={t(instance === "de" ? "taxIdGerman" : "taxId")}
        extra={t("taxIdHelp")}
        rules={[check.official((text) => parseTaxId(text, country))]}
      >
        <Input autoComplete="off" />
      </Form.Item>
      <div className="profile-pair">
        <Form.Item name="email" label={t("email")} rules={[check.official(parsers.email)]}>
          <Input type="email" autoComplete="email" />
        </Form.Item>
        <Form.Item name="phone" label={t("phone")} rules={[check.official((text) => parsePhone(text, country))]}>
          <Input type="tel" autoComplete="tel" />
        </Form.Item>
      </div>
      <Form.Item name="www" label={t("www")} rules={[check.web, check.longest(200)]}>
        <Input type="url" autoComplete="url" onBlur={complete} />
      </Form.Item>
      <List name="cities" label={t("cities")} help={t("listHelp")} />
      <List name="services" label={t("services")} help={t("servicesHelp")} />
    </Section>
  );
}

function List(props: { name: "cities" | "services"; label: string; help: string }) {
  return (
    <Form.Item name={props.name} label={props.label} extra={props.help}>
      <Select mode="tags" open={false} className="profile-list" tokenSeparators={[",", ";"]} maxCount={50} />
    </Form.Item>
  );
}
