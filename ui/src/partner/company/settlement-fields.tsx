import { Checkbox, Form, InputNumber, Radio } from "antd";
import { useTranslation } from "../../i18n/translation";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { localeOf } from "../../i18n/languages";
import { useChecks } from "./checks";
import type { Profile } from "./queries";
import { Section } from "../../components/section";

/** How drivers are settled and what the partner takes for it; how much of the licence is used. */
export function SettlementFields({ profile }: { profile: Profile }) {
  const { t } = useTranslation("partner");
  const language = useLanguage();
  const check = useChecks();
  const comma = new Intl.NumberFormat(localeOf(language)).format(0.5).charAt(1);
  return (
    <Section title={t("settlements")} lead={t("settlementsLead")}>
      <Licence profile={profile} />
      <Form.Item name="settlementFrequency" label={t("frequency")}>
        <Radio.Group aria-label={t("frequency")} className="profile-choices">
          {([1, 2, 4] as const).map((weeks) => (
            <Radio key={weeks} value={weeks}>
              {t("weeks", { count: weeks })}
            </Radio>
          ))}
        </Radio.Group>
      </Form.Item>
      <Form.Item name="driversChooseFrequency" valuePropName="checked" extra={t("driversChooseHelp")}>
        <Checkbox>{t("driversChoose")}</Checkbox>
      </Form.Item>
      <Form.Item name="commission" label={t("commission")} extra={t("commissionHelp")} rules={[check.percent]}>
        <InputNumber
          className="profile-percent"
          controls={false}
          precision={2}
          decimalSeparator={comma}
          inputMode="decimal"
          suffix="%"
        />
      </Form.Item>
      <Form.Item name="provisionCharge" label={t("charge")}>
        <Radio.Group aria-label={t("charge")} className="profile-choices">
          <Radio value="always">{t("chargeAlways")}</Radio>
          <Radio value="when_described">{t("chargeWhenDescribed")}</Radio>
        </Radio.Group>
      </Form.Item>
      <Form.Item name="driversDescribe" valuePropName="checked" extra={t("driversDescribeHelp")}>
        <Checkbox>{t("driversDescribe")}</Checkbox>
      </Form.Item>
    </Section>
  );
}

function Licence({ profile }: { profile: Profile }) {
  const { t } = useTranslation("partner");
  const language = useLanguage();
  const { settlementLimit: limit, settlementUsage: usage, remaining } = profile;
  const share = limit > 0 ? Math.min(1, usage / limit) : 0;
  return (
    <div className="profile-licence">
      <p>
        <span>{t("used", { usage: count(usage, language), limit: count(limit, language) })}</span>
        <b>{t("left", { count: Math.max(0, remaining) })}</b>
      </p>
      <div aria-hidden className="profile-meter">
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
