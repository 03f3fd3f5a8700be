import { type ReactNode, useId } from "react";

/** One part of the profile: what it is about beside its fields. */
export function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="profile-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p>{lead}</p>
      </div>
      <div className="profile-fields">{children}</div>
    </section>
  );
}
