import { type ReactNode, useEffect, useId, useRef } from "react";
import { useLocation } from "react-router";
import "./section.css";

/** One part of a long page: what it is about beside what it holds. An address may end in its anchor. */
export function Section(props: { title: string; lead: string; anchor?: string; children: ReactNode }) {
  const id = useId();
  const { hash } = useLocation();
  const part = useRef<HTMLElement>(null);
  const meant = hash === `#${props.anchor}`;
  useEffect(() => {
    if (meant) part.current?.scrollIntoView();
  }, [meant]);
  return (
    <section ref={part} className="section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{props.title}</h2>
        <p>{props.lead}</p>
      </div>
      <div className="section-part">{props.children}</div>
    </section>
  );
}
