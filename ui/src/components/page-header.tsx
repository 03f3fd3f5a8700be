import type { ReactNode } from "react";
import "./page-header.css";

/** The top of a page: its title, what it counts, what can be done. */
export function PageHeader({ title, meta, actions }: { title: string; meta?: ReactNode; actions?: ReactNode }) {
  return (
    <header className="page-header">
      <h1>{title}</h1>
      {meta && <div className="page-header-meta">{meta}</div>}
      {actions && <div className="page-header-actions">{actions}</div>}
    </header>
  );
}
