import type { LucideIcon } from "lucide-react";
import "./status-tag.css";

type Tone = "outline" | "neutral" | "brand" | "success" | "warning" | "danger";

/** A state as icon and word: without any colour it says the same. */
export function StatusTag({ tone, icon: Icon, word }: { tone: Tone; icon: LucideIcon; word: string }) {
  return (
    <span className={`status-tag status-tag-${tone}`}>
      <Icon aria-hidden size={13} strokeWidth={2} />
      {word}
    </span>
  );
}
