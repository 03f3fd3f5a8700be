import { type Ref, type TextareaHTMLAttributes, useRef } from "react";
import styles from "./contracts.module.css";

/** A part of a text that is coloured. */
export interface Mark {
  from: number;
  to: number;
  kind: "wrong" | "missing";
}

interface MarkedAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  value: string;
  marks: readonly Mark[];
  area: Ref<HTMLTextAreaElement>;
}

/** A field for a long text whose parts are coloured where something is wrong with them. The colours lie behind the letters. */
export function MarkedArea({ value, marks, area, ...rest }: MarkedAreaProps) {
  const behind = useRef<HTMLPreElement>(null);
  const parts = [];
  let at = 0;
  for (const { from, to, kind } of [...marks].sort((a, b) => a.from - b.from)) {
    if (from < at) continue;
    parts.push(value.slice(at, from));
    parts.push(
      <mark key={from} data-kind={kind}>
        {value.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  parts.push(value.slice(at));
  return (
    <div className={styles.marked}>
      <pre ref={behind} aria-hidden>
        {parts}
        {"\n"}
      </pre>
      <textarea
        {...rest}
        ref={area}
        value={value}
        spellCheck={false}
        onScroll={({ currentTarget }) => {
          if (behind.current) behind.current.scrollTop = currentTarget.scrollTop;
        }}
      />
    </div>
  );
}
