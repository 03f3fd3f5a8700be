import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Notice } from "../../components/notice";
import { OrderFields } from "./order-fields";
import type { Order } from "./order";
import { type Import, orderOf, useReadWith } from "./queries";
import { keep } from "./uploads";

/** What was said about a file, to be said otherwise: it is then read once more. */
export function Reread({ of, open }: { of: Import; open?: boolean }) {
  const { t } = useTranslation(["imports", "faults"]);
  const [order, setOrder] = useState(() => orderOf(of));
  const { busy, problem, reread } = useReread(of);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void reread(order);
  };
  return (
    <details className="imports-details" {...(open && { open })}>
      <summary>{t("settingsOf")}</summary>
      <form onSubmit={submit}>
        <OrderFields order={order} onChange={setOrder} />
        {problem && (
          <Notice tone="danger">
            {t("readAgainFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        )}
        <Button type="submit" loading={busy}>
          {t("readAgain")}
        </Button>
      </form>
    </details>
  );
}

/** Reads a file once more by another order. */
export function useReread(of: Import) {
  const again = useReadWith();
  const reread = async (order: Order) => {
    keep(of.id);
    try {
      await again.mutateAsync({ id: of.id, order });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
    }
  };
  return { busy: again.isPending, problem: again.error ?? undefined, reread };
}
