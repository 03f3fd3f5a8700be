import { type ReactNode, useId } from "react";

/** One part of a driver's page: what it is about beside what it holds. */
export function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="driver-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p>{lead}</p>
      </div>
      <div className="driver-part">{children}</div>
    </section>
  );
}
