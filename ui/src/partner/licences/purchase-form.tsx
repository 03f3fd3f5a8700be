import { type SyntheticEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { type BuyerField, isFine } from "./buyer";
import { BuyerFields } from "./buyer-fields";
import { Equation } from "./equation";
import { Packages } from "./packages";
import { Quantity } from "./quantity";
import { type Offer, useOrder, usePay, useQuote } from "./queries";
import { Ways } from "./ways";
import styles from "./licences.module.css";

/** What is bought, for whom, and the button that pays it. */
export function PurchaseForm({ offer }: { offer: Offer }) {
  const { t } = useTranslation(["licences", "faults"]);
  const language = useLanguage();
  const { full } = useAmounts();
  const mayBuy = useSession().may("licences.write");
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState(offer.packages[0]?.code ?? "");
  const [typed, setTyped] = useState("1");
  const [buyer, setBuyer] = useState(offer.buyer);
  const [provider, setProvider] = useState(offer.providers[0] ?? "");
  const [strict, setStrict] = useState(false);
  const chosen = offer.packages.find((one) => one.code === code) ?? offer.packages[0];
  const { minQuantity: min, maxQuantity: max } = chosen ?? { minQuantity: 1, maxQuantity: 1 };
  const number = /^\d{1,7}$/.test(typed) ? Number(typed) : 0;
  const quantity = number >= min && number <= max ? number : undefined;
  const quote = useQuote(chosen?.code ?? "", quantity, buyer.country);
  const buying = useBuying();
  const current = quantity !== undefined && quote.data && !quote.isPlaceholderData ? quote.data : undefined;
  const choose = (next: string) => {
    setCode(next);
    setTyped(String(offer.packages.find((one) => one.code === next)?.minQuantity ?? 1));
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setStrict(true);
    const fine = (Object.keys(buyer) as BuyerField[]).every((field) => isFine(field, buyer));
    if (!current || quantity === undefined || !fine || !chosen) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    void buying.buy({ package: chosen.code, quantity, buyer, expectsGross: current.gross, language }, provider);
  };
  const problem = buying.problem;
  return (
    <form ref={form} className={styles.purchase} noValidate onSubmit={submit}>
      <Packages packages={offer.packages} chosen={code} onChoose={choose} />
      <section className={styles.price} aria-label={t("price")}>
        <Quantity typed={typed} min={min} max={max} quantity={quantity} onType={setTyped} />
        <div className={styles.quote} aria-live="polite" aria-busy={quote.isFetching}>
          {quote.isError ? (
            <Notice tone="danger" action={<Button onClick={() => void quote.refetch()}>{t("again")}</Button>}>
              {t("quoteFailed")} {t(`faults:${quote.error.code}`, { replace: quote.error.params })}
            </Notice>
          ) : quote.data ? (
            <>
              <Equation price={quote.data} stale={!current} />
              <p className={styles.note}>
                {t("packageUnits", { count: quote.data.units })}.{" "}
                {quote.data.weeks !== null && quote.data.weeks > 0 && t("weeks", { count: quote.data.weeks })}
              </p>
            </>
          ) : (
            <span className="bar" />
          )}
        </div>
      </section>
      <BuyerFields buyer={buyer} problem={problem} strict={strict} onChange={setBuyer} />
      {offer.providers.length > 1 && <Ways providers={offer.providers} chosen={provider} onChoose={setProvider} />}
      <div className={styles.acts}>
        {problem && (
          <Notice tone="danger">
            {t(`faults:${problem.code}`, { replace: problem.params })} {t("notOrdered")}
          </Notice>
        )}
        {mayBuy ? (
          <>
            <Button type="submit" kind="primary" size="large" disabled={!current} loading={buying.busy}>
              {current && current.gross > 0 ? t("pay", { amount: full(current.gross) }) : t("order")}
            </Button>
            <p className={styles.note}>{t("payLead")}</p>
          </>
        ) : (
          <Notice tone="info">{t("readOnly")}</Notice>
        )}
      </div>
    </form>
  );
}

/** Orders once, then goes to where it can be paid; what could not be begun is paid from the page of the order. */
function useBuying() {
  const navigate = useNavigate();
  const order = useOrder();
  const pay = usePay();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const buy = async (wanted: Parameters<typeof order.mutateAsync>[0], provider: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { id } = await order.mutateAsync(wanted);
      const page = `/payment-service/${id}`;
      const to = await pay.mutateAsync({ id, provider }).then(
        ({ redirectUrl }) => redirectUrl,
        () => "",
      );
      // Whoever comes back by the browser's button finds the order, not a form that would order again.
      void navigate(page, { replace: true });
      if (to) location.assign(to);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
      setBusy(false);
    }
  };
  return { buy, busy, problem };
}
