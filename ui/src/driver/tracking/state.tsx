import { CircleAlert, GitCompareArrows, Lock, Send, Smartphone } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import type { Seen } from "./list";
import { useShown } from "../../waiting/outbox";
import styles from "./tracking.module.css";

/** What became of an entry, in a word with its picture. Nothing where it is simply saved. */
export function EntryState({ of }: { of: Seen<object, { refuseReason: string; settlementId?: string }> }) {
  const { t } = useTranslation("tracking");
  const { sending } = useShown();
  const { waiting, theirs } = of;
  const found = waiting
    ? waiting.state === "conflict"
      ? ({ icon: GitCompareArrows, text: "stateConflict", tone: "warning" } as const)
      : waiting.state === "refused"
        ? ({ icon: CircleAlert, text: "stateRefused", tone: "danger" } as const)
        : waiting.deleted
          ? ({ icon: Smartphone, text: "stateDeleting", tone: "plain" } as const)
          : sending
            ? ({ icon: Send, text: "stateSending", tone: "plain" } as const)
            : ({ icon: Smartphone, text: "stateWaiting", tone: "plain" } as const)
    : theirs?.settlementId
      ? ({ icon: Lock, text: "stateSettled", tone: "plain" } as const)
      : theirs?.refuseReason
        ? ({ icon: CircleAlert, text: "stateNotCounted", tone: "warning" } as const)
        : undefined;
  if (!found) return null;
  return (
    <span className={styles.state} data-tone={found.tone}>
      <found.icon aria-hidden size={14} strokeWidth={2} />
      {t(found.text)}
    </span>
  );
}
