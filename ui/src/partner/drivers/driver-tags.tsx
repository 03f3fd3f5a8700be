import { Select } from "antd";
import { useTranslation } from "../../i18n/translation";
import { Notice } from "../../components/notice";
import { useTagChoices } from "../../kit/lookups";
import { type Driver, useTagDriver } from "./queries";
import { Section } from "../../components/section";

/** The tags of a driver; each choice is saved at once. */
export function DriverTags({ driver, mayWrite }: { driver: Driver; mayWrite: boolean }) {
  const { t } = useTranslation(["drivers", "faults"]);
  const choices = useTagChoices();
  const write = useTagDriver(driver.id);
  const chosen = write.isPending ? write.variables : driver.tags.map(({ id }) => id);
  return (
    <Section title={t("tags")} lead={t("tagsLead")}>
      {write.error && (
        <Notice tone="danger">
          {t(`faults:${write.error.code}`, { replace: write.error.params })} {t("tagsFailed")}
        </Notice>
      )}
      <Select
        mode="multiple"
        aria-label={t("tags")}
        className="driver-tags"
        showSearch={{ optionFilterProp: "label" }}
        disabled={!mayWrite || write.isPending}
        value={chosen}
        options={choices.data ?? driver.tags.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(tags: string[]) => write.mutate(tags)}
      />
    </Section>
  );
}
