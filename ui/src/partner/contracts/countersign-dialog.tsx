import { CircleAlert, CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { FreshFirst } from "../../components/fresh-first";
import { Notice } from "../../components/notice";
import { type Check, useCheck, useCountersign } from "./calls";
import styles from "./contracts.module.css";

/** What became of those that were to be countersigned. */
interface Outcome {
  done: Check[];
  refused: { one: Check; problem: Problem }[];
  /** Whom it was not tried for: the session or the line ended before. */
  left: Check[];
}

/** Who would get a signature, what that changes and who would not get one and why; then each is signed as it was shown. */
export function CountersignDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(["contractList", "faults", "common"]);
  return (
    <Dialog title={t("countersignTitle")} onClose={onClose}>
      <FreshFirst back="/contracts?state=waiting">
        <Checked ids={ids} onClose={onClose} />
      </FreshFirst>
    </Dialog>
  );
}

function Checked({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(["contractList", "faults", "common"]);
  const checks = useCheck(ids);
  const sign = useCountersign();
  const [working, setWorking] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  const can = checks.data?.filter(({ refused }) => refused === "") ?? [];
  const cannot = checks.data?.filter(({ refused }) => refused !== "") ?? [];
  const moved = can.filter(({ accountChanges }) => accountChanges);

  const signAll = async () => {
    const result: Outcome = { done: [], refused: [], left: [] };
    for (const [at, one] of can.entries()) {
      setWorking(at + 1);
      try {
        // One after the other: each is a contract of its own.
        await sign.mutateAsync(one.contract);
        result.done.push(one);
      } catch (reason) {
        if (!(reason instanceof Problem)) throw reason;
        result.refused.push({ one, problem: reason });
        if (reason.status === 401 || reason.code.startsWith("network.")) {
          result.left.push(...can.slice(at + 1));
          break;
        }
      }
    }
    setWorking(undefined);
    setOutcome(result);
  };

  if (outcome) return <Result outcome={outcome} onClose={onClose} />;
  return (
    <div className={styles.dialog} aria-busy={!checks.data}>
      {checks.isError && (
        <Notice tone="danger" action={<Button onClick={() => void checks.refetch()}>{t("common:retry")}</Button>}>
          {t(`faults:${checks.error.code as "contracts.not_found"}`)} {t("nothingSigned")}
        </Notice>
      )}
      {!checks.data && !checks.isError && <p role="status">{t("checking")}</p>}
      {checks.data && (
        <>
          <div className={styles.figures}>
            <p>
              <CircleCheck aria-hidden size={16} strokeWidth={1.75} />
              {t("willSign")} <b>{can.length}</b>
            </p>
            <p>
              <CircleAlert aria-hidden size={16} strokeWidth={1.75} />
              {t("willNotSign")} <b>{cannot.length}</b>
            </p>
          </div>
          {cannot.length > 0 && (
            <Names title={t("whyNot")}>
              {cannot.map((one) => (
                <li key={one.contract.contractId}>
                  <Who of={one} /> {t(`faults:${one.refused as "contracts.state"}`)}
                </li>
              ))}
            </Names>
          )}
          {moved.length > 0 && (
            <Notice tone="warning">
              {t("accountsChange", { count: moved.length })}
              <ul className={styles.plain}>
                {moved.map(({ contract, accountBefore, account }) => (
                  <li key={contract.contractId}>
                    {t("accountFromTo", {
                      name: contract.driverName,
                      before: accountBefore || t("noAccountYet"),
                      after: account,
                    })}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          {can.length > 0 && (
            <Names title={t("whoIsSigned")}>
              {can.map((one) => (
                <li key={one.contract.contractId}>
                  <Who of={one} /> <small>{one.contract.documents.map(({ title }) => title).join(", ")}</small>
                </li>
              ))}
            </Names>
          )}
          <p className={styles.quiet}>{t("countersignMeans")}</p>
        </>
      )}
      <div className={styles.acts}>
        <Button onClick={onClose} disabled={working !== undefined}>
          {t("common:cancel")}
        </Button>
        <Button
          kind="primary"
          disabled={can.length === 0}
          loading={working !== undefined}
          onClick={() => void signAll()}
        >
          {working === undefined
            ? t("countersign", { number: can.length })
            : t("signingOf", { number: working, total: can.length })}
        </Button>
      </div>
    </div>
  );
}

const Names = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <section aria-label={title}>
    <h3 className={styles.small}>{title}</h3>
    <ul className={styles.names}>{children}</ul>
  </section>
);

const Who = ({ of: { contract } }: { of: Check }) => (
  <Link to={`/contracts/${contract.driverUUID}/${contract.contractId}`}>{contract.driverName}</Link>
);

function Result({ outcome: { done, refused, left }, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { t } = useTranslation(["contractList", "faults", "common"]);
  return (
    <div className={styles.dialog}>
      <p role="status">{t("signedCount", { count: done.length })}</p>
      {refused.length > 0 && (
        <Names title={t("refusedTitle")}>
          {refused.map(({ one, problem }) => (
            <li key={one.contract.contractId}>
              <Who of={one} /> {t(`faults:${problem.code}`, { replace: problem.params })}
            </li>
          ))}
        </Names>
      )}
      {left.length > 0 && (
        <Names title={t("leftTitle")}>
          {left.map((one) => (
            <li key={one.contract.contractId}>
              <Who of={one} />
            </li>
          ))}
        </Names>
      )}
      <div className={styles.acts}>
        <Button kind="primary" onClick={onClose}>
          {t("common:close")}
        </Button>
      </div>
    </div>
  );
}
