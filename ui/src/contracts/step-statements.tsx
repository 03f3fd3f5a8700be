import { useTranslation } from "../i18n/translation";
import { Notice } from "../components/notice";
import { isUnder26, kindsOf } from "./data";
import { Box, Choice, Country, Group, Text, useForm } from "./form";
import styles from "./contracts.module.css";

// The branches of the Polish health fund, by the names that they have in every language.
const NFZ = [
  "Dolnośląski",
  "Kujawsko-Pomorski",
  "Lubelski",
  "Lubuski",
  "Łódzki",
  "Małopolski",
  "Mazowiecki",
  "Opolski",
  "Podkarpacki",
  "Podlaski",
  "Pomorski",
  "Śląski",
  "Świętokrzyski",
  "Warmińsko-Mazurski",
  "Wielkopolski",
  "Zachodniopomorski",
].map((name, n) => [String(n + 1).padStart(2, "0"), `${String(n + 1).padStart(2, "0")} ${name}`] as const);

const DISABILITIES = ["none", "light", "moderate", "severe"] as const;
const PIT2 = [0, 300, 150, 100] as const;
const CLASSES = [1, 2, 3, 4, 5, 6] as const;

/** The third step: what taxes and insurance are computed by, as far as the kinds of contracts ask for it. */
export function StatementsStep() {
  const { t } = useTranslation("contractWizard");
  const kinds = kindsOf(useForm().data);
  if (kinds.includes("civil_contract")) return <Polish />;
  if (kinds.includes("employment")) return <German />;
  return <Notice tone="info">{t("noStatements")}</Notice>;
}

function Polish() {
  const { t } = useTranslation("contractWizard");
  const { data } = useForm();
  const { statements } = data;
  const over26 = isUnder26(data) ? undefined : t("over26");
  const disabled = statements.disability && statements.disability !== "none";
  return (
    <>
      <Group title={t("group_office")}>
        <Text path="statements.taxOffice" label={t("taxOffice")} most={120} required />
        <Choice path="statements.nfz" label={t("nfz")} options={NFZ} required />
        <Country path="statements.taxResidence" label={t("taxResidence")} required />
      </Group>
      <Group title={t("group_situation")}>
        <div>
          <Box path="statements.student" label={t("student")} off={over26}>
            <Text path="statements.school" label={t("school")} required />
            <Text path="statements.studentUntil" label={t("studentUntil")} type="date" />
          </Box>
          <Box path="statements.pensioner" label={t("pensioner")}>
            <Text path="statements.pensionNumber" label={t("pensionNumber")} most={40} />
          </Box>
          <Box path="statements.employed" label={t("employed")} />
          <Box
            path="statements.employedMinimum"
            label={t("employedMinimum")}
            off={statements.employed ? undefined : t("needsEmployed")}
          />
          <Box path="statements.business" label={t("business")} />
          <Box path="statements.otherContract" label={t("otherContract")} />
        </div>
        <Choice
          path="statements.disability"
          label={t("disability")}
          options={DISABILITIES.map((one) => [one, t(`disability_${one}`)])}
        />
        {disabled && (
          <div className={styles.inner}>
            <Text path="statements.disabilityUntil" label={t("disabilityUntil")} type="date" />
            <Box path="statements.healthConsent" label={t("healthConsent")} />
          </div>
        )}
      </Group>
      <Group title={t("group_insurance")}>
        <div>
          <Box
            path="statements.sickness"
            label={t("sickness")}
            off={statements.student ? t("studentNotInsured") : undefined}
          />
          <Box path="statements.ppkResigned" label={t("ppkResigned")} />
        </div>
      </Group>
      <Group title={t("group_tax")}>
        <Choice
          path="statements.pit2"
          label={t("pit2")}
          options={PIT2.map((one) => [one, t(`pit2_${one}`)])}
          always
          off={statements.noAdvance ? t("noAdvanceTaken") : undefined}
        />
        <div>
          <Box
            path="statements.noAdvance"
            label={t("noAdvance")}
            off={statements.pit2 ? t("reducedAlready") : undefined}
          />
          <Box path="statements.under26" label={t("under26")} off={over26} />
          <Box path="statements.returning" label={t("returning")} />
          <Box path="statements.family" label={t("family")} />
          <Box
            path="statements.senior"
            label={t("senior")}
            off={statements.pensioner ? t("notPensioner") : undefined}
          />
          <Box path="statements.noCosts" label={t("noCosts")} />
        </div>
      </Group>
    </>
  );
}

function German() {
  const { t } = useTranslation("contractWizard");
  const { statements } = useForm().data;
  return (
    <>
      <Group title={t("group_tax")}>
        <Choice path="statements.taxClass" label={t("taxClass")} options={CLASSES.map((one) => [one, String(one)])} />
        <Text path="statements.childAllowance" label={t("childAllowance")} most={5} />
        <Text path="statements.confession" label={t("confession")} most={20} />
        <Box path="statements.mainEmployer" label={t("mainEmployer")} />
      </Group>
      <Group title={t("group_insurance")}>
        <Text path="statements.healthInsurer" label={t("healthInsurer")} most={100} required />
        <div>
          <Box path="statements.miniJob" label={t("miniJob")} />
          <Box
            path="statements.pensionExempt"
            label={t("pensionExempt")}
            off={statements.miniJob ? undefined : t("needsMiniJob")}
          />
        </div>
      </Group>
    </>
  );
}
