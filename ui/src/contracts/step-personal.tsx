import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Tick } from "../components/field";
import { useConfig } from "../session/config";
import { valueAt, withValue } from "./data";
import { Choice, Country, Group, Text, useForm } from "./form";
import styles from "./contracts.module.css";

const ID_KINDS = ["identity_card", "passport", "residence_card"] as const;

/** The first step: who somebody is and where they live. */
export function PersonalStep() {
  const { t } = useTranslation("contractWizard");
  const polish = useConfig().instance === "pl";
  return (
    <>
      <Group title={t("group_person")}>
        <Text path="personal.firstNames" label={t("firstNames")} complete="given-name" required />
        <Text path="personal.lastName" label={t("lastName")} complete="family-name" required />
        <Text path="personal.familyName" label={t("familyName")} />
        <Text path="personal.birthDate" label={t("birthDate")} type="date" complete="bday" required />
        <Text path="personal.birthPlace" label={t("birthPlace")} most={100} />
        <Country path="personal.citizenship" label={t("citizenship")} required />
        {polish ? (
          <Text path="personal.pesel" label={t("pesel")} hint={t("peselHint")} numeric most={20} />
        ) : (
          <>
            <Text path="personal.taxNumber" label={t("taxNumber")} numeric most={20} />
            <Text path="personal.socialNumber" label={t("socialNumber")} capitals most={20} />
          </>
        )}
      </Group>
      <Group title={t("group_id")}>
        <Choice
          path="personal.idKind"
          label={t("idKind")}
          options={[...ID_KINDS.map((one) => [one, t(`idKind_${one}`)] as const), ["other", t("idKindOther")]]}
          required
        />
        <Text path="personal.idNumber" label={t("idNumber")} capitals most={30} required />
        <Text path="personal.idValidTo" label={t("idValidTo")} type="date" />
      </Group>
      <Group title={t("group_registered")}>
        <Address at="personal.registered" />
      </Group>
      <Other at="personal.actual" title={t("group_actual")} same={t("sameActual")} />
      <Other at="personal.correspondence" title={t("group_correspondence")} same={t("sameCorrespondence")} />
      <Group title={t("group_contact")}>
        <Text path="personal.phone" label={t("phone")} type="tel" complete="tel" most={30} required />
        <Text path="personal.email" label={t("email")} type="email" complete="email" most={200} required />
      </Group>
    </>
  );
}

/** An address that is another one only where somebody says so. */
function Other({ at, title, same }: { at: string; title: string; same: string }) {
  const { data, change } = useForm();
  const filled = valueAt(data, at) !== undefined;
  const [open, setOpen] = useState(filled);
  const shown = open || filled;
  return (
    <Group title={title}>
      <Tick
        checked={!shown}
        onChange={(checked) => {
          setOpen(!checked);
          if (checked) change((now) => withValue(now, at, undefined));
        }}
      >
        {same}
      </Tick>
      {shown && <Address at={at} />}
    </Group>
  );
}

function Address({ at }: { at: string }) {
  const { t } = useTranslation("contractWizard");
  const polish = useConfig().instance === "pl";
  return (
    <>
      <Text path={`${at}.street`} label={t("street")} most={100} />
      <div className={styles.pair}>
        <Text path={`${at}.house`} label={t("house")} most={20} required />
        <Text path={`${at}.apartment`} label={t("apartment")} most={20} />
      </div>
      <div className={styles.pair}>
        <Text path={`${at}.postCode`} label={t("postCode")} most={12} required />
        <Text path={`${at}.city`} label={t("city")} most={100} required />
      </div>
      {polish && (
        <>
          <div className={styles.pair}>
            <Text path={`${at}.commune`} label={t("commune")} most={100} />
            <Text path={`${at}.county`} label={t("county")} most={100} />
          </div>
          <Text path={`${at}.voivodeship`} label={t("voivodeship")} most={100} />
        </>
      )}
      <Country path={`${at}.country`} label={t("country")} />
    </>
  );
}
