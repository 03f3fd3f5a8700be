import { FilePen, FileSignature, Hourglass } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { useContracts, useDropDraft, useFilled } from "../../contracts/calls";
import { ContractCard } from "../../contracts/contract-card";
import styles from "../../contracts/contracts.module.css";
import { device } from "../../contracts/device";
import { useLanguage } from "../../i18n";
import { useSession } from "../../session/session";

const WIZARD = "/driver/fill-documents";

/** A driver's contracts; who is not accepted by the fleet yet reads that. */
export default function ContractsPage() {
  const { t } = useTranslation("explain");
  return useSession().driver?.linked ? (
    <Contracts />
  ) : (
    <FirstUse icon={Hourglass} title={t("notLinkedTitle")} body={t("notLinkedBody")} />
  );
}

function Contracts() {
  const { t } = useTranslation(["contractWizard", "accounts"]);
  const found = useContracts("");
  const begun = useFilled("", useLanguage());
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("loadFailedBody")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data || begun.isPending) return <div className={styles.page} aria-busy="true" />;
  const { contracts } = found.data;
  const source = begun.data?.source;
  const drafted = source === "draft" || source === "partner";
  return (
    <div className={styles.page}>
      <h1 className="sr-only">{t("accounts:contractsTitle")}</h1>
      {drafted && <Begun step={begun.data?.step ?? 1} byPartner={source === "partner"} />}
      {contracts.length === 0 && !drafted && (
        <FirstUse
          icon={FileSignature}
          title={t("emptyTitle")}
          body={t("emptyBody")}
          action={
            <Link className={styles.primary} to={WIZARD}>
              {t("title")}
            </Link>
          }
        />
      )}
      {contracts.length > 0 && (
        <>
          <ul className={styles.contracts}>
            {contracts.map((one) => (
              <li key={one.contractId}>
                <ContractCard contract={one} />
              </li>
            ))}
          </ul>
          {!drafted && (
            <Link className={styles.primary} to={WIZARD}>
              {t("fillInNew")}
            </Link>
          )}
        </>
      )}
    </div>
  );
}

/** What is filled in and not signed. */
function Begun({ step, byPartner }: { step: number; byPartner: boolean }) {
  const { t } = useTranslation(["contractWizard", "faults"]);
  const { user } = useSession();
  const [asking, setAsking] = useState(false);
  const drop = useDropDraft("");
  const done = useDoneToast();
  const submit = async () => {
    const ok = await drop.mutateAsync(undefined).then(
      () => true,
      () => false,
    );
    if (!ok) return;
    await device.remove(`${user.id} `);
    setAsking(false);
    done(t("dropped"));
  };
  return (
    <article className={styles.contract}>
      <h2>{t(byPartner ? "draftPartner" : "draftTitle")}</h2>
      <small>
        <FilePen aria-hidden size={14} strokeWidth={1.75} /> {t("draftStep", { step, name: t(`step_${step as 1}`) })}
      </small>
      <Link className={styles.primary} to={WIZARD}>
        {t("continueDraft")}
      </Link>
      {!byPartner && (
        <Button kind="text" danger onClick={() => setAsking(true)}>
          {t("dropDraft")}
        </Button>
      )}
      {asking && (
        <Dialog title={t("dropDraft")} onClose={() => setAsking(false)}>
          <div className={styles.ask}>
            <p>{t("dropAsk")}</p>
            {drop.error && (
              <Notice tone="danger">{t(`faults:${drop.error.code}`, { replace: drop.error.params })}</Notice>
            )}
            <Button kind="primary" danger size="large" block loading={drop.isPending} onClick={() => void submit()}>
              {t("dropDraft")}
            </Button>
          </div>
        </Dialog>
      )}
    </article>
  );
}
