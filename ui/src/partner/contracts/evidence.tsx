import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { useConfig } from "../../session/config";
import { useEvidence } from "./calls";
import styles from "./contracts.module.css";

/** What an event is about, where it says: a document, a step of the form. */
function aboutOf(detail: string): { order?: number; step?: number } {
  try {
    return JSON.parse(detail) as { order?: number; step?: number };
  } catch {
    return {};
  }
}

/** How a contract was signed: each step, from where, and whether nothing was changed afterwards. */
export function Evidence({ id }: { id: string }) {
  const { t } = useTranslation(["contractList", "contractEvents", "faults"]);
  const { timeZone } = useConfig();
  const [open, setOpen] = useState(false);
  const found = useEvidence(id, open);
  return (
    <details className={styles.evidence} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("evidence")}</summary>
      {found.isError && <Notice tone="danger">{t(`faults:${found.error.code as "contracts.not_found"}`)}</Notice>}
      {found.data && (
        <>
          {found.data.broken > 0 ? (
            <Notice tone="danger">{t("chainBroken", { number: found.data.broken })}</Notice>
          ) : (
            <p className={styles.quiet}>{t("chainWhole")}</p>
          )}
          <History>
            {found.data.events.map(({ n, at, role, kind, address, agent, detail, sum }) => {
              const { order, step } = aboutOf(detail);
              return (
                <HistoryLine
                  key={n}
                  what={t(`contractEvents:event_${kind as "signed"}`)}
                  who={t(`contractEvents:role_${role}`)}
                  at={at}
                  timeZone={timeZone}
                >
                  {order ? <span>{t("aboutDocument", { number: order })}</span> : null}
                  {step ? <span>{t("aboutStep", { number: step })}</span> : null}
                  {address && <span>{[address, agent].filter(Boolean).join(" · ")}</span>}
                  <span className={styles.sum}>{sum}</span>
                </HistoryLine>
              );
            })}
          </History>
        </>
      )}
    </details>
  );
}
