import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Tick } from "../components/field";
import { useConfig } from "../session/config";
import { excludedBy, type Kind, KINDS, kindsOf, valueAt, withValue } from "./data";
import { Amount, Box, Choice, Greyed, Group, Numeral, Text, useAt, useForm } from "./form";
import styles from "./contracts.module.css";

const FREQUENCIES = [1, 2, 4] as const;
const VEHICLES = ["car", "bike", "scooter"] as const;
const OWNERS = ["driver", "fleet", "third"] as const;

/** The second step: what is agreed on. */
export function TermsStep() {
  const { t } = useTranslation("contractWizard");
  const { data } = useForm();
  const kinds = kindsOf(data);
  const rents = kinds.some((one) => one === "rent_from_driver" || one === "rent_to_driver");
  const vehicle = rents || kinds.includes("vehicle_entrusted");
  return (
    <>
      <Group title={t("group_kinds")}>
        <Kinds />
        <Box path="contract.bailiff" label={t("bailiff")} />
      </Group>
      <Group title={t("group_terms")}>
        <div className={styles.pair}>
          <Text path="contract.date" label={t("date")} type="date" required />
          <Text path="contract.place" label={t("place")} most={100} required />
        </div>
        <div className={styles.pair}>
          <Text path="contract.from" label={t("from")} type="date" required />
          <Text path="contract.to" label={t("to")} type="date" />
        </div>
        <Choice
          path="contract.settlementFrequency"
          label={t("settlementFrequency")}
          options={FREQUENCIES.map((one) => [one, t(`frequency_${one}`)])}
          always
          required
        />
      </Group>
      {vehicle && <Vehicle rents={rents} />}
      <Group title={t("group_money")}>
        <Text path="contract.ibanPayout" label={t("ibanPayout")} capitals most={42} required />
        <Account path="contract.ibanRefunds" label={t("ibanRefunds")} same={t("sameRefunds")} />
        {kinds.includes("rent_from_driver") && (
          <Account path="contract.ibanRental" label={t("ibanRental")} same={t("sameRental")} required />
        )}
      </Group>
      {kinds.includes("b2b") && <Company />}
    </>
  );
}

function Kinds() {
  const { t } = useTranslation("contractWizard");
  const { data, change, wrong } = useForm();
  const { instance } = useConfig();
  const chosen = kindsOf(data);
  const toggle = (kind: Kind, checked: boolean) =>
    change((now) =>
      withValue(now, "contract.kinds", checked ? [...kindsOf(now), kind] : kindsOf(now).filter((one) => one !== kind)),
    );
  return (
    <div>
      {KINDS[instance].map((kind) => {
        const other = excludedBy(data, kind);
        const name = t(`kind_${kind}`);
        return (
          <Greyed
            key={kind}
            name={`contract.kinds.${kind}`}
            label={name}
            checked={chosen.includes(kind)}
            off={other && t("notWith", { other: t(`kind_${other}`) })}
            onChange={(checked) => toggle(kind, checked)}
          />
        );
      })}
      {wrong.has("contract.kinds") && <p className="field-error">{wrong.get("contract.kinds")}</p>}
    </div>
  );
}

function Vehicle({ rents }: { rents: boolean }) {
  const { t } = useTranslation("contractWizard");
  const { data } = useForm();
  const bike = data.contract.vehicle?.kind === "bike";
  return (
    <Group title={t("group_vehicle")}>
      <div className={styles.pair}>
        <Choice
          path="contract.vehicle.kind"
          label={t("vehicleKind")}
          options={VEHICLES.map((one) => [one, t(`vehicle_${one}`)])}
          required
        />
        <Choice
          path="contract.vehicle.owner"
          label={t("owner")}
          options={OWNERS.map((one) => [one, t(`owner_${one}`)])}
          required
        />
      </div>
      <div className={styles.pair}>
        <Text path="contract.vehicle.make" label={t("make")} most={60} required />
        <Text path="contract.vehicle.model" label={t("model")} most={60} required />
      </div>
      {bike ? (
        <Text path="contract.vehicle.frameNumber" label={t("frameNumber")} most={40} required />
      ) : (
        <>
          <div className={styles.pair}>
            <Text path="contract.vehicle.registration" label={t("registration")} capitals most={15} required />
            <Numeral path="contract.vehicle.year" label={t("year")} />
          </div>
          <Text path="contract.vehicle.vin" label={t("vin")} capitals most={20} />
        </>
      )}
      {rents && (
        <div className={styles.pair}>
          <Amount path="contract.rentWeekly" label={t("rentWeekly")} required />
          <Amount path="contract.rentDeposit" label={t("rentDeposit")} />
        </div>
      )}
    </Group>
  );
}

/** An account that may be the one for payouts. */
function Account({ path, label, same, required }: { path: string; label: string; same: string; required?: boolean }) {
  const { data } = useForm();
  const at = useAt(path);
  const payout = data.contract.ibanPayout ?? "";
  const [open, setOpen] = useState(false);
  const isSame = payout !== "" && valueAt(data, path) === payout;
  return (
    <>
      <Tick
        checked={isSame && !open}
        onChange={(checked) => {
          setOpen(!checked);
          at.set(checked ? payout : "");
        }}
      >
        {same}
      </Tick>
      {(!isSame || open) && <Text path={path} label={label} capitals most={42} {...(required && { required })} />}
    </>
  );
}

function Company() {
  const { t } = useTranslation("contractWizard");
  const polish = useConfig().instance === "pl";
  return (
    <Group title={t("group_company")}>
      <Text path="contract.company.name" label={t("companyName")} most={200} complete="organization" required />
      <div className={styles.pair}>
        <Text path="contract.company.taxId" label={t("companyTaxId")} capitals most={20} required />
        {polish && <Text path="contract.company.regon" label={t("regon")} numeric most={20} />}
      </div>
      <Box path="contract.company.vatPayer" label={t("vatPayer")} />
    </Group>
  );
}
