import { lazy, Suspense } from "react";
import { useTerms } from "./queries";

const TermsDialog = lazy(() => import("./terms-dialog"));

/** Stands before everything while the partner has not accepted the newest terms. */
export function TermsGate({ onLeave }: { onLeave: () => void }) {
  const { data } = useTerms();
  if (!data || data.accepted) return null;
  return (
    <Suspense>
      <TermsDialog terms={data} onLeave={onLeave} />
    </Suspense>
  );
}
