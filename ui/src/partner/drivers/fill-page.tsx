import { useTranslation } from "../../i18n/translation";
import { useNavigate, useParams } from "react-router";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { ContractCard } from "../../contracts/contract-card";
import { useContracts } from "../../contracts/calls";
import styles from "../../contracts/contracts.module.css";
import { Wizard } from "../../contracts/wizard";
import { useDriver } from "./queries";

/** A partner fills in the contract documents of a driver. The driver signs: on their own phone, or on this device. */
export default function FillPage() {
  const { t } = useTranslation(["contractWizard", "drivers"]);
  const { id = "" } = useParams();
  const driver = useDriver(id);
  const contracts = useContracts(id);
  if (driver.isError)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={driver.error}
        onRetry={() => void driver.refetch()}
      />
    );
  if (!driver.data) return <div className={styles.page} aria-busy="true" />;
  const name = `${driver.data.firstName} ${driver.data.lastName}`.trim();
  return (
    <>
      <Wizard
        driver={id}
        name={name}
        title={t("titleFor", { name })}
        back={`/drivers/${id}`}
        before={(go) => <WhoSigns driver={id} name={name} onHere={go} />}
      />
      {contracts.data && contracts.data.contracts.length > 0 && (
        <ul className={`${styles.contracts} ${styles.beside}`}>
          {contracts.data.contracts.map((one) => (
            <li key={one.contractId}>
              <ContractCard contract={one} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Signing is the driver's act: what the partner filled in waits for them, or the device is handed over. */
function WhoSigns({ driver, name, onHere }: { driver: string; name: string; onHere: () => void }) {
  const { t } = useTranslation("contractWizard");
  const done = useDoneToast();
  const navigate = useNavigate();
  return (
    <>
      <Notice tone="info">{t("whoSigns")}</Notice>
      <Button
        kind="primary"
        size="large"
        onClick={() => {
          done(t("savedForDriver", { name }));
          void navigate(`/drivers/${driver}`);
        }}
      >
        {t("saveForDriver")}
      </Button>
      <Button size="large" onClick={onHere}>
        {t("signHere")}
      </Button>
    </>
  );
}
