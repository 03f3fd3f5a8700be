import { Info, OctagonAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import "./notice.css";

const icons = { info: Info, warning: TriangleAlert, danger: OctagonAlert };

/** A message that stays beside what it is about until it is no longer true. */
export function Notice(props: { tone: keyof typeof icons; children: ReactNode; action?: ReactNode }) {
  const Icon = icons[props.tone];
  return (
    <div className={`notice notice-${props.tone}`} role={props.tone === "danger" ? "alert" : "status"}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <div className="notice-text">{props.children}</div>
      {props.action}
    </div>
  );
}
