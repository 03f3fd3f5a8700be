import { Checkbox, Form, Input, Select } from "antd";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { parseAccount } from "../../format/official/account";
import { languageNames } from "../../i18n/languages";
import { type DriverData, useSchemaChoices } from "./queries";

/** The fields of the form in their order, with what each is called. */
export const fieldNames = {
  firstName: "firstName",
  lastName: "lastName",
  email: "email",
  phone: "phone",
  contractNumber: "contractNumber",
  summaryLanguage: "summaryLanguage",
  iban: "iban",
  accountHolder: "accountHolder",
  passportName: "passportName",
  taxId: "taxId",
  settlementFrequency: "settlementFrequency",
  schemaNumber: "schema",
  bailiffSeizure: "bailiffSeizure",
  smallBusiness: "smallBusiness",
} as const satisfies Record<keyof DriverData, string>;

const EMPTY: DriverData = {
  firstName: "",
  lastName: "",
  email: "",
  phone: "",
  iban: "",
  accountHolder: "",
  passportName: "",
  taxId: "",
  contractNumber: "",
  bailiffSeizure: false,
  smallBusiness: false,
  summaryLanguage: "",
  settlementFrequency: 0,
  schemaNumber: 0,
};

/** A driver as the form shows them: the account in groups of four. */
export function valuesOf(driver: Partial<DriverData>): DriverData {
  const values = { ...EMPTY };
  for (const name of Object.keys(EMPTY) as (keyof DriverData)[])
    if (driver[name] !== undefined) Object.assign(values, { [name]: driver[name] });
  const account = parseAccount(values.iban);
  return { ...values, iban: account.ok ? account.display : values.iban };
}

/** The fields in which two forms differ. */
export const differing = (a: DriverData, b: DriverData) =>
  (Object.keys(fieldNames) as (keyof DriverData)[]).filter((name) => a[name] !== b[name]);

/** How often a driver can be settled. */
export const frequencies = [
  { value: 0, label: "asPartner" },
  { value: 1, label: "weeks1" },
  { value: 2, label: "weeks2" },
  { value: 4, label: "weeks4" },
] as const;

export function PersonFields({ focus = false }: { focus?: boolean }) {
  const { t } = useTranslation("drivers");
  const languages = Object.entries(languageNames).map(([value, label]) => ({ value, label }));
  return (
    <>
      <div className="driver-pair">
        <Form.Item name="firstName" label={t("firstName")}>
          <Input autoFocus={focus} autoComplete="off" />
        </Form.Item>
        <Form.Item name="lastName" label={t("lastName")}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="email" label={t("email")}>
          <Input type="email" autoComplete="off" />
        </Form.Item>
        <Form.Item name="phone" label={t("phone")}>
          <Input type="tel" autoComplete="off" />
        </Form.Item>
        <Form.Item name="contractNumber" label={t("contractNumber")}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="summaryLanguage" initialValue="" label={t("summaryLanguage")}>
          <Select options={[{ value: "", label: t("anyLanguage") }, ...languages]} />
        </Form.Item>
      </div>
    </>
  );
}

export function PaymentFields({ help }: { help?: string }) {
  const { t } = useTranslation("drivers");
  const schemas = useSchemaChoices();
  const ownDefault = schemas.data?.find(({ isDefault }) => isDefault)?.name;
  const options = [
    { value: 0, label: ownDefault === undefined ? t("defaultSchema") : t("defaultSchemaNamed", { name: ownDefault }) },
    ...(schemas.data ?? []).map(({ schemaNumber, name }) => ({ value: schemaNumber, label: name })),
  ];
  return (
    <>
      <Form.Item name="iban" label={t("iban")} extra={help}>
        <Input className="driver-iban" autoComplete="off" spellCheck={false} />
      </Form.Item>
      <div className="driver-pair">
        <Form.Item name="accountHolder" label={t("accountHolder")} extra={t("accountHolderHelp")}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="passportName" label={t("passportName")} extra={t("passportNameHelp")}>
          <Input autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Form.Item name="taxId" label={t("taxId")}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="settlementFrequency" initialValue={0} label={t("settlementFrequency")}>
          <Select options={frequencies.map(({ value, label }) => ({ value, label: t(label) }))} />
        </Form.Item>
        <Form.Item name="schemaNumber" initialValue={0} label={t("schema")}>
          <Select showSearch={{ optionFilterProp: "label" }} loading={schemas.isPending} options={options} />
        </Form.Item>
      </div>
      <Form.Item
        name="smallBusiness"
        valuePropName="checked"
        extra={t("smallBusinessHelp")}
        hidden={useConfig().instance !== "de"}
      >
        <Checkbox>{t("smallBusiness")}</Checkbox>
      </Form.Item>
      <Form.Item name="bailiffSeizure" valuePropName="checked">
        <Checkbox>{t("bailiffSeizure")}</Checkbox>
      </Form.Item>
    </>
  );
}
