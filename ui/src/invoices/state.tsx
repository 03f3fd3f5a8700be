import { BadgeCheck, Ban, CircleCheck, Hourglass, PencilLine, ScanText } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { StatusTag } from "../components/status-tag";
import type { Invoice } from "./calls";

const looks = {
  uploaded: { tone: "outline", icon: ScanText },
  to_describe: { tone: "warning", icon: PencilLine },
  to_verify: { tone: "neutral", icon: Hourglass },
  approved: { tone: "success", icon: CircleCheck },
  rejected: { tone: "danger", icon: Ban },
  fleet: { tone: "neutral", icon: PencilLine },
  settled: { tone: "success", icon: BadgeCheck },
} as const;

/** Where an invoice stands, as icon and word; one that a settlement took says so. A driver reads whether it is the fleet's turn. */
export function InvoiceState({ of, asDriver }: { of: Standing; asDriver?: boolean }) {
  const { t } = useTranslation("invoices");
  const { state, waitsFor, settlementId } = of;
  const shown =
    asDriver && state === "to_describe" && waitsFor === "partner" ? "fleet" : settlementId ? "settled" : state;
  return <StatusTag {...looks[shown]} word={t(`state_${shown}`)} />;
}

type Standing = Pick<Invoice, "state" | "waitsFor" | "settlementId">;
