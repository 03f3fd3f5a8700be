import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import "./message.css";

interface MessageProps {
  icon: LucideIcon;
  tone?: "plain" | "danger";
  title: string;
  /** The level of the title: 1 where it is the only heading of the screen. */
  level?: 1 | 2;
  children: ReactNode;
  actions?: ReactNode;
}

/** One centred message instead of content: what is the case, and the next step. */
export function Message({ icon: Icon, tone = "plain", title, level = 2, children, actions }: MessageProps) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className="message">
      <span className={`message-icon message-icon-${tone}`}>
        <Icon aria-hidden size={20} strokeWidth={1.75} />
      </span>
      <Heading className="message-title">{title}</Heading>
      <div className="message-body">{children}</div>
      {actions && <div className="message-actions">{actions}</div>}
    </div>
  );
}
