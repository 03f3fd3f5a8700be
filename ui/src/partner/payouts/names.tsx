import { ArrowLeft, Ban, CircleCheck, Clock, Landmark, Undo2 } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { StatusTag } from "../../components/status-tag";
import type { Batch, Settings } from "./queries";

/** How a bank's file is called: by its bank, or by its standard where any bank may take it. */
export function useProfileName() {
  const { t } = useTranslation("payouts");
  const standards = {
    elixir: "Elixir-O",
    "elixir-cp852": "Elixir-O, CP852",
    pain03: "ISO 20022, pain.001.001.03",
    pain09: "ISO 20022, pain.001.001.09",
    sepa: "SEPA, pain.001.001.09",
  } as Record<string, string>;
  return (key: string, profiles: Settings["profiles"]) =>
    standards[key] ?? profiles.find((one) => one.key === key)?.bank ?? (key || t("none"));
}

/** Where the money of a batch goes, in words. */
export function useBankName() {
  const { t } = useTranslation("payouts");
  const nameOf = useProfileName();
  return ({ way, profile, bank }: Pick<Batch, "way" | "profile"> & { bank?: string }) =>
    way === "cash"
      ? t("way_cash")
      : `${t(`way_${way}`)}, ${nameOf(profile, [{ key: profile, bank: bank ?? "", standard: "elixir", foreign: false }]) || profile}`;
}

/** The way back to all batches. */
export function Back() {
  const { t } = useTranslation("payouts");
  return (
    <nav className="payouts-back">
      <Link to="/payouts">
        <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
        {t("backToAll")}
      </Link>
    </nav>
  );
}

export function BatchState({ batch }: { batch: Batch }) {
  const { t } = useTranslation("payouts");
  if (batch.state === "cancelled") return <StatusTag tone="outline" icon={Ban} word={t("state_cancelled")} />;
  if (batch.state === "proposed") return <StatusTag tone="warning" icon={Clock} word={t("state_proposed")} />;
  if (batch.returned > 0)
    return (
      <StatusTag
        tone="danger"
        icon={Undo2}
        word={t("state_returned", { returned: batch.returned, all: batch.settlements })}
      />
    );
  if (batch.paid === batch.settlements) return <StatusTag tone="success" icon={CircleCheck} word={t("state_paid")} />;
  if (batch.paid > 0)
    return (
      <StatusTag tone="brand" icon={CircleCheck} word={t("state_part", { paid: batch.paid, all: batch.settlements })} />
    );
  return <StatusTag tone="neutral" icon={Landmark} word={t("state_released")} />;
}
