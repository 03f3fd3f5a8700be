import {
  Ban,
  CircleMinus,
  FileQuestion,
  FileSliders,
  FileWarning,
  FileX,
  IdCard,
  Landmark,
  Layers,
  type LucideIcon,
  OctagonAlert,
  OctagonX,
  TriangleAlert,
  Timer,
  Users,
} from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { StatusTag } from "../../components/status-tag";
import type { Pending, Warning } from "./queries";

type Code = Warning["code"] | Exclude<Pending["refusal"], "">;

/** Everything to be looked at before money moves, the worst first. */
export const remarks = [
  { code: "uncomputed", icon: OctagonX, tone: "danger" },
  { code: "blocked", icon: Ban, tone: "danger" },
  { code: "negative", icon: CircleMinus, tone: "danger" },
  { code: "nothing_to_settle", icon: FileX, tone: "neutral" },
  { code: "same_account", icon: Users, tone: "danger" },
  { code: "no_account", icon: OctagonAlert, tone: "danger" },
  { code: "no_tax_id", icon: IdCard, tone: "danger" },
  { code: "documents", icon: FileWarning, tone: "warning" },
  { code: "minimum_rate", icon: Timer, tone: "warning" },
  { code: "account_changed", icon: Landmark, tone: "warning" },
  { code: "differs", icon: TriangleAlert, tone: "warning" },
  { code: "unknown_rows", icon: FileQuestion, tone: "warning" },
  { code: "no_schema", icon: FileSliders, tone: "neutral" },
] as const satisfies readonly { code: Code; icon: LucideIcon; tone: "danger" | "warning" | "neutral" }[];

/** Those that keep somebody from being settled. */
export const refusals: readonly Code[] = ["uncomputed", "blocked", "negative", "nothing_to_settle"];

export type Remark = (typeof remarks)[number];

/** How far a payout is from the one before it, in whole percents. */
const change = (payout: number, before: number) => Math.round((100 * (payout - before)) / before);

/** What must be known of a pending settlement: an icon and a word each. */
export function Remarks({ row }: { row: Pending }) {
  const { t } = useTranslation("settlements");
  const word = (code: Code) => {
    const warning = row.warnings.find((one) => one.code === code);
    if (code === "differs") {
      const percent = change(row.payout, warning?.amount ?? row.payout);
      return t("remark_differs", { percent: percent < 0 ? `−${-percent}` : `+${percent}` });
    }
    if (code === "unknown_rows") return t("remark_unknown_rows", { number: warning?.count ?? 0 });
    return t(`remark_${code}`);
  };
  const has = ({ code }: Remark) => row.refusal === code || row.warnings.some((warning) => warning.code === code);
  return (
    <span className="settlements-chips">
      {remarks.filter(has).map(({ code, icon, tone }) => (
        <StatusTag key={code} tone={tone} icon={icon} word={word(code)} />
      ))}
      {row.supplementary && <StatusTag tone="outline" icon={Layers} word={t("supplementary")} />}
    </span>
  );
}
