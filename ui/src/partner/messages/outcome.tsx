import { Ban, CircleCheck, Clock, OctagonAlert } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { StatusTag } from "../../components/status-tag";
import type { MessageRow } from "./queries";

const TAGS = {
  commissioned: { tone: "neutral", icon: Clock },
  sent: { tone: "success", icon: CircleCheck },
  error: { tone: "danger", icon: OctagonAlert },
  cancelled: { tone: "outline", icon: Ban },
} as const;

/** What became of a message, as icon and word. */
export function Outcome({ state }: { state: MessageRow["state"] }) {
  const { t } = useTranslation("messages");
  return <StatusTag {...TAGS[state]} word={t(`state_${state}`)} />;
}
