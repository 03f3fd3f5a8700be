import { type ReactNode, useId } from "react";
import "./section.css";

/** One part of a long page: what it is about beside what it holds. */
export function Section(props: { title: string; lead: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{props.title}</h2>
        <p>{props.lead}</p>
      </div>
      <div className="section-part">{props.children}</div>
    </section>
  );
}
