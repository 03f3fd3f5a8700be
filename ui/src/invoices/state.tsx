import { BadgeCheck, Ban, CircleCheck, Hourglass, PencilLine, ScanText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StatusTag } from "../components/status-tag";
import type { Invoice } from "./calls";

const looks = {
  uploaded: { tone: "outline", icon: ScanText },
  to_describe: { tone: "warning", icon: PencilLine },
  to_verify: { tone: "neutral", icon: Hourglass },
  approved: { tone: "success", icon: CircleCheck },
  rejected: { tone: "danger", icon: Ban },
  settled: { tone: "success", icon: BadgeCheck },
} as const;

/** Where an invoice stands, as icon and word; one that a settlement took says so. */
export function InvoiceState({ of }: { of: Pick<Invoice, "state" | "settlementId"> }) {
  const { t } = useTranslation("invoices");
  const state = of.settlementId ? "settled" : of.state;
  return <StatusTag {...looks[state]} word={t(`state_${state}`)} />;
}
