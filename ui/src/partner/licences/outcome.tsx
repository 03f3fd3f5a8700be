import { CircleCheck, CircleDashed, Clock, OctagonAlert, SearchCheck, Undo2 } from "lucide-react";
import { Link, useNavigate } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { type Order, useCancel, useLicence, usePackages, usePay, useRetry } from "./queries";
import { useWayName } from "./ways";
import styles from "./licences.module.css";

const ICONS = {
  draft: CircleDashed,
  started: Clock,
  success: CircleCheck,
  failed: OctagonAlert,
  abandoned: CircleDashed,
  review: SearchCheck,
  refunded: Undo2,
} as const;

/** Where the payment stands, in words, and what can be done now. */
export function Outcome({ order }: { order: Order }) {
  const { t } = useTranslation("licences");
  const Icon = ICONS[order.state];
  return (
    <section className={styles.outcome} data-state={order.state}>
      <span className={styles.icon} data-state={order.state}>
        <Icon aria-hidden size={22} strokeWidth={1.75} />
      </span>
      <div role="status">
        <h2>{t(`title_${order.state}`)}</h2>
        <Words order={order} />
      </div>
      <Acts order={order} />
    </section>
  );
}

function Words({ order }: { order: Order }) {
  const { t } = useTranslation("licences");
  const { full } = useAmounts();
  const email = order.buyer.email;
  switch (order.state) {
    case "draft":
      return <p>{t("body_draft")}</p>;
    case "started":
      return (
        <>
          <p>{t("body_started", { email })}</p>
          <p>{t("closeTab")}</p>
        </>
      );
    case "success":
      return <Added order={order} />;
    case "failed":
    case "abandoned":
      return (
        <>
          <p>{t(reasonOf(order.reason))}</p>
          <p>{t("nothingCharged")}</p>
        </>
      );
    case "review":
      return <p>{t("body_review", { email })}</p>;
    case "refunded":
      return <p>{t("body_refunded", { amount: full(order.refunded) })}</p>;
  }
}

/** Why it failed, as a text. */
function reasonOf(reason: Order["reason"]) {
  switch (reason) {
    case "declined":
    case "no_funds":
    case "cancelled":
    case "timed_out":
      return `reason_${reason}` as const;
    case "busy":
    case "no_answer":
      return "reason_away" as const;
    default:
      return "reason_refused" as const;
  }
}

function Added({ order }: { order: Order }) {
  const { t } = useTranslation("licences");
  const { full } = useAmounts();
  const { data } = useLicence();
  return (
    <>
      <p>
        {t("added", { count: order.units })} {data && data.remaining > 0 && t("left", { count: data.remaining })}
      </p>
      {order.refunded > 0 && <p>{t("partRefunded", { amount: full(order.refunded) })}</p>}
      {order.documents.length === 0 && order.gross > 0 && <p>{t("invoiceSoon", { email: order.buyer.email })}</p>}
    </>
  );
}

/** What can be done now; one of it is what most people want. */
function Acts({ order }: { order: Order }) {
  const { t } = useTranslation(["licences", "faults"]);
  const navigate = useNavigate();
  const { may } = useSession();
  const paying = usePaying(order);
  if (order.state === "success" || order.state === "refunded")
    return (
      <div className={styles.row}>
        <Button kind="primary" onClick={() => void navigate("/settlements/pending")}>
          {t("toSettlements")}
        </Button>
      </div>
    );
  if (order.state === "review" || !may("licences.write")) return null;
  return (
    <>
      {paying.problem && (
        <Notice tone="danger">{t(`faults:${paying.problem.code}`, { replace: paying.problem.params })}</Notice>
      )}
      <div className={styles.row}>
        <Begin order={order} paying={paying} />
        {order.state === "abandoned" ? (
          <Link to="/licenses/purchase">{t("buy")}</Link>
        ) : (
          <Button kind="text" loading={paying.cancelling} onClick={paying.cancel}>
            {t("cancel")}
          </Button>
        )}
      </div>
    </>
  );
}

/** The buttons that lead to a payment. */
function Begin({ order, paying }: { order: Order; paying: ReturnType<typeof usePaying> }) {
  const { t } = useTranslation("licences");
  const { full } = useAmounts();
  const nameOf = useWayName();
  const ways = usePackages().data?.providers ?? [];
  const { state, provider, url, gross } = order;
  const others = state === "draft" ? [] : ways.filter((one) => one !== provider);
  return (
    <>
      {state === "draft" && (
        <Button kind="primary" loading={paying.busy} onClick={() => paying.pay("")}>
          {gross > 0 ? t("pay", { amount: full(gross) }) : t("order")}
        </Button>
      )}
      {state === "started" && url && (
        <Button kind="primary" onClick={() => location.assign(url)}>
          {t("finish")}
        </Button>
      )}
      {state === "started" && (
        <Button loading={paying.busy} onClick={() => paying.retry("")}>
          {t("restart")}
        </Button>
      )}
      {(state === "failed" || state === "abandoned") && (
        <Button kind="primary" loading={paying.busy} onClick={() => paying.retry(provider)}>
          {t("again")}
        </Button>
      )}
      {others.map((one) => (
        <Button key={one} disabled={paying.busy} onClick={() => paying.retry(one)}>
          {t("payBy", { way: nameOf(one) })}
        </Button>
      ))}
    </>
  );
}

/** Begins, repeats or cancels the payment of an order, and goes to where it can be paid. */
function usePaying({ id }: Order) {
  const pay = usePay();
  const retry = useRetry();
  const cancel = useCancel();
  const go = { onSuccess: ({ redirectUrl }: { redirectUrl: string }) => redirectUrl && location.assign(redirectUrl) };
  return {
    pay: (provider: string) => pay.mutate({ id, provider }, go),
    retry: (provider: string) => retry.mutate({ id, provider }, go),
    cancel: () => cancel.mutate(id),
    busy: pay.isPending || retry.isPending,
    cancelling: cancel.isPending,
    problem: pay.error ?? retry.error ?? cancel.error,
  };
}
