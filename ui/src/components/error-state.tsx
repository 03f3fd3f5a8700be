import { OctagonAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "./button";
import type { Problem } from "../api/problem";
import { withFurtherTexts } from "../i18n";
import { Message } from "./message";

interface ErrorStateProps {
  title: string;
  /** What was not done, in words. */
  undone: string;
  problem: Problem;
  onRetry: () => void;
  level?: 1 | 2;
}

/** A screen that failed: what happened, what was not done, a way to try again and the number to quote. */
export function ErrorState({ title, undone, problem, onRetry, level = 2 }: ErrorStateProps) {
  const { t, i18n } = useTranslation(["common", "faults"]);
  const said = i18n.exists(`faults:${problem.code}`);
  useEffect(() => {
    // A server that refused also has the texts that say why.
    if (!said) void withFurtherTexts().catch(() => undefined);
  }, [said]);
  return (
    <div role="alert">
      <Message
        icon={OctagonAlert}
        tone="danger"
        title={title}
        level={level}
        actions={
          <>
            <Button kind="primary" onClick={onRetry}>
              {t("retry")}
            </Button>
            {problem.requestId && <RequestId id={problem.requestId} />}
          </>
        }
      >
        <p>
          {said && t(`faults:${problem.code}`, { replace: problem.params })} {undone}
        </p>
      </Message>
    </div>
  );
}

function RequestId({ id }: { id: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
  };
  return (
    <Button kind="text" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? t("copied") : t("copyRequestId", { id })}</span>
    </Button>
  );
}
