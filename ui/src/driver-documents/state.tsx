import { CalendarClock, CalendarX, CircleCheck, CircleDashed, Hourglass, Replace, TriangleAlert } from "lucide-react";
import { useTranslation } from "../i18n/translation";
import { StatusTag } from "../components/status-tag";
import type { Shown, Standing } from "./calls";

const looks = {
  missing: { tone: "warning", icon: CircleDashed },
  optional: { tone: "outline", icon: CircleDashed },
  expired: { tone: "danger", icon: CalendarX },
  rejected: { tone: "danger", icon: TriangleAlert },
  waiting: { tone: "neutral", icon: Hourglass },
  expiring: { tone: "warning", icon: CalendarClock },
  accepted: { tone: "success", icon: CircleCheck },
  replaced: { tone: "outline", icon: Replace },
} as const;

/** Where a document stands, as icon and word; one that need not be there is not missing. */
export function DocumentState({ of, required = true }: { of: Standing | Shown["state"]; required?: boolean }) {
  const { t } = useTranslation("driverDocuments");
  const state = of === "missing" && !required ? "optional" : of;
  return <StatusTag {...looks[state]} word={t(`state_${state}`)} />;
}
