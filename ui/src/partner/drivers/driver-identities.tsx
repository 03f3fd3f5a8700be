import { Input, Select } from "antd";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { type Driver, type Identity, useProviders, useSetIdentities } from "./queries";
import { Section } from "../../components/section";

/** What providers know a driver by. Each change is saved at once, over the version that is on screen. */
export function DriverIdentities({ driver, mayWrite }: { driver: Driver; mayWrite: boolean }) {
  const { t } = useTranslation(["drivers", "faults", "fields"]);
  const providers = useProviders();
  const write = useSetIdentities(driver.id);
  const [provider, setProvider] = useState<string>();
  const [value, setValue] = useState("");
  const nameOf = (code: string) => providers.data?.find((one) => one.value === code)?.label ?? code;
  const set = (identities: Identity[], done?: () => void) =>
    write.mutate({ version: driver.version, identities }, { onSuccess: () => done?.() });
  const wrong = write.error?.fields[0];
  return (
    <Section title={t("identities")} lead={t("identitiesLead")}>
      {write.error && (
        <Notice tone="danger">
          {t(`faults:${write.error.code}`, { replace: write.error.params })}{" "}
          {wrong && `${t(`fields:${wrong.code}`, { replace: wrong.params ?? {} })}. `}
          {t("identitiesFailed")}
        </Notice>
      )}
      {driver.identities.length === 0 && <p className="driver-none">{t("noIdentities")}</p>}
      <ul className="driver-identities">
        {driver.identities.map((identity) => (
          <li key={`${identity.provider} ${identity.value}`}>
            <b>{nameOf(identity.provider)}</b>
            <span>{identity.value}</span>
            {mayWrite && (
              <Button
                kind="text"
                size="small"
                icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
                aria-label={t("removeIdentity", { name: `${nameOf(identity.provider)} ${identity.value}` })}
                disabled={write.isPending}
                onClick={() => set(driver.identities.filter((other) => other !== identity))}
              />
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div className="driver-identity">
          <Select
            aria-label={t("provider")}
            placeholder={t("provider")}
            options={providers.data ?? []}
            {...(provider && { value: provider })}
            onChange={setProvider}
          />
          <Input
            aria-label={t("value")}
            placeholder={t("value")}
            autoComplete="off"
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
          <Button
            icon={<Plus aria-hidden size={16} strokeWidth={1.75} />}
            loading={write.isPending}
            disabled={!provider || value.trim() === ""}
            onClick={() =>
              provider && set([...driver.identities, { provider, value: value.trim() }], () => setValue(""))
            }
          >
            {t("addIdentity")}
          </Button>
        </div>
      )}
    </Section>
  );
}
