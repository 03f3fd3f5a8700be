import {
  Ban,
  CircleCheck,
  CircleSlash,
  Clock,
  FileInput,
  type LucideIcon,
  PenLine,
  Printer,
  RotateCcw,
} from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { StatusTag } from "../../components/status-tag";
import type { Contract } from "./calls";

type State = Contract["state"];

const looks: Record<State, { icon: LucideIcon; tone: "outline" | "neutral" | "success" | "warning" }> = {
  signed_by_driver: { icon: PenLine, tone: "warning" },
  printed: { icon: Printer, tone: "outline" },
  scan_uploaded: { icon: FileInput, tone: "warning" },
  active: { icon: CircleCheck, tone: "success" },
  ended: { icon: CircleSlash, tone: "neutral" },
  withdrawn: { icon: Ban, tone: "outline" },
  replaced: { icon: RotateCcw, tone: "neutral" },
  deleted: { icon: Clock, tone: "outline" },
};

/** Where a contract stands, in a word. */
export function ContractState({ of }: { of: State }) {
  const { t } = useTranslation("contractList");
  return <StatusTag {...looks[of]} word={t(`state_${of}`)} />;
}

/** Whether the partner can sign it now. */
export const waits = ({ state }: Contract) => state === "signed_by_driver" || state === "scan_uploaded";
