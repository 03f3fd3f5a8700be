import { type Block, clean, type Inline } from "./markdown-parse";

/** What a text may have in braces. */
const placeholders = [
  "first_name",
  "period",
  "payout",
  "paid_on",
  "partner",
  "invoice",
  "reason",
  "comment",
  "document",
  "valid_to",
  "entry",
  "nip",
] as const;
type Placeholder = (typeof placeholders)[number];
export type PlaceholderValues = Partial<Record<Placeholder, string>>;

const BRACES = /\{([^{}\n]*)\}/g;
const isPlaceholder = (name: string): name is Placeholder => placeholders.some((known) => known === name);

/** Replaces the placeholders of a text that is not formatted, as a topic. One without a value is left as it is. */
export const fillText = (text: string, values: PlaceholderValues) =>
  text.replace(BRACES, (typed: string, name: string) => {
    const value = isPlaceholder(name) ? values[name] : undefined;
    return value === undefined ? typed : clean(value).replace(/\n/g, " ");
  });

/** Replaces the placeholders of a text that was read: values are text, whatever they contain. */
export const fill = (blocks: Block[], values: PlaceholderValues): Block[] =>
  blocks.map((block) => ({ ...block, items: block.items.map((item) => item.map((part) => fillInline(part, values))) }));

function fillInline(part: Inline, values: PlaceholderValues): Inline {
  if (part.kind === "text" || part.kind === "link") return { ...part, text: fillText(part.text, values) };
  if (part.kind === "break") return part;
  return { ...part, content: part.content.map((inner) => fillInline(inner, values)) };
}
