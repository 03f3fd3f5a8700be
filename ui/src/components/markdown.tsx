import { Fragment, type ReactNode, useMemo } from "react";
import { type Block, type Inline, parse } from "./markdown-parse";
import { fill, type PlaceholderValues } from "./markdown-placeholders";

interface MarkdownProps {
  text: string;
  /** What stands for {first_name} and the like. */
  values?: PlaceholderValues;
}

/** A formatted text: paragraphs, lists, bold, italic and https links. Anything else in it is shown as typed. */
export function Markdown({ text, values }: MarkdownProps) {
  const blocks = useMemo(() => {
    const read = parse(text);
    return values ? fill(read, values) : read;
  }, [text, values]);
  return blocks.map(element);
}

function element({ kind, start = 0, items }: Block, key: number): ReactNode {
  if (kind === "paragraph") return <p key={key}>{items[0]?.map(inline)}</p>;
  const rows = items.map((item, n) => <li key={n}>{item.map(inline)}</li>);
  return kind === "bullets" ? (
    <ul key={key}>{rows}</ul>
  ) : (
    <ol key={key} start={start}>
      {rows}
    </ol>
  );
}

function inline(part: Inline, key: number): ReactNode {
  switch (part.kind) {
    case "text":
      return part.text;
    case "break":
      return <br key={key} />;
    case "bold":
      return <strong key={key}>{part.content.map(inline)}</strong>;
    case "italic":
      return <em key={key}>{part.content.map(inline)}</em>;
    case "link":
      return (
        <Fragment key={key}>
          <a href={part.address} rel="noopener noreferrer" target="_blank">
            {part.text}
          </a>
          {part.host && ` (${part.host})`}
        </Fragment>
      );
  }
}
