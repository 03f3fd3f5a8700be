// The twin of internal/messages/markdown, which says what is read and how: the tests of both compare the same trees of
// one file of cases. No expression looks behind, since older phones cannot read such a file at all.

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "break" }
  | { kind: "bold" | "italic"; content: Inline[] }
  /** The host is given where the text does not say exactly that. */
  | { kind: "link"; text: string; address: string; host?: string };

export interface Block {
  kind: "paragraph" | "bullets" | "numbers";
  /** The number of the first item, unless it is 0. */
  start?: number;
  /** A paragraph has one. */
  items: Inline[][];
}

const INVISIBLE =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const LABELLED = /\[([^[\]\n]+)\]\((https:\/\/(?:[^\s()]|\([^\s()]*\))+)\)/iy;
const BARE = /https:\/\/[^\s<>"'*\u2010-\u2027\xab\xbb]+/iy;
const ADDRESS =
  /^https:\/\/((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])(?::\d{1,5})?(?:[/?#][A-Za-z0-9._~:/?#@!$&()+,;=%-]*)?$/;
const WORD_AT_END = /[\p{L}\p{N}\p{M}]$/u;
const WORD_AT_START = /^[\p{L}\p{N}\p{M}]/u;

export const clean = (text: string) => text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(INVISIBLE, "");

const trimmed = (line: string) => line.replace(/^[ \t]+/, "").replace(/(^|[^ \t])[ \t]+$/, "$1");

/** Reads a formatted text. None is refused. */
export function parse(text: string): Block[] {
  const blocks: (Block & { lines: string[] })[] = [];
  let above = false;
  for (const line of clean(text).split("\n")) {
    const typed = trimmed(line);
    let last = blocks.at(-1);
    const item = /^(?:-|(0|[1-9]\d{0,3})\.) +/.exec(typed);
    if (typed === "") {
      above = false;
      continue;
    }
    if (item) {
      const kind = item[1] ? "numbers" : "bullets";
      const number = Number(item[1] ?? 0);
      // A number that does not follow starts another list: what is shown is always the number that was typed.
      if (last?.kind !== kind || (item[1] && number !== (last.start ?? 0) + last.lines.length)) {
        last = { kind, ...(number && { start: number }), items: [], lines: [] };
        blocks.push(last);
      }
      last.lines.push(typed.slice(item[0].length));
    } else if (above && last && (last.kind === "paragraph" || /^[ \t]/.test(line))) {
      last.lines.push(`${last.lines.pop() ?? ""}\n${typed}`);
    } else blocks.push({ kind: "paragraph", items: [], lines: [typed] });
    above = true;
  }
  return blocks.map(({ lines, ...block }) => ({ ...block, items: lines.map(inlines) }));
}

/** Emphasis that is open: its asterisks, and what follows them. */
interface Frame {
  asterisks: number;
  content: Inline[];
}

/** At most one bold and one italic are open at a time. */
function inlines(text: string): Inline[] {
  const root: Frame = { asterisks: 0, content: [] };
  const open = [root];
  const top = () => open.at(-1) ?? root;
  const put = (part: Inline) => {
    const last = top().content.at(-1);
    if (part.kind === "text" && last?.kind === "text") last.text += part.text;
    else if (part.kind !== "text" || part.text) top().content.push(part);
  };
  const asTyped = (typed: string) => put({ kind: "text", text: typed });
  const indexOf = (asterisks: number) => open.findIndex((frame) => frame.asterisks === asterisks);
  /** Shows the asterisks of a frame as typed. */
  const dissolve = (index: number) => {
    const above = open.splice(index);
    const frame = above.shift();
    asTyped("*".repeat(frame?.asterisks ?? 0));
    for (const part of frame?.content ?? []) put(part);
    open.push(...above);
  };
  /** Asterisks open before a word and close after one, never inside: 3*20*2 stays. */
  const emphasis = (run: number, before: string, after: string) => {
    const opens = run < 4 && /^\S/.test(after) && !WORD_AT_END.test(before);
    const closes = run < 4 && /\S$/.test(before) && !WORD_AT_START.test(after);
    let left = run;
    let index = indexOf(run);
    if (closes && (run === 3 || index > 0)) {
      const found = open[index];
      if (found && found !== top() && found.content.length === 0) {
        // Opened together, as in ***a** b*.
        found.asterisks = top().asterisks;
        top().asterisks = run;
        index = open.length - 1;
      }
      while (run < 3 && open.length - 1 > index) dissolve(open.length - 1);
      while (open.length > 1 && top().asterisks <= left) {
        const { asterisks, content } = top();
        left -= asterisks;
        open.pop();
        put({ kind: asterisks === 2 ? "bold" : "italic", content });
      }
    }
    if (left === run && opens)
      for (const asterisks of [2, 1].filter((mark) => run & mark)) {
        // The later one counts.
        if (indexOf(asterisks) > 0) dissolve(indexOf(asterisks));
        open.push({ asterisks, content: [] });
      }
    else asTyped("*".repeat(left));
  };

  // What is no line break, asterisk or possible start of a link is passed over at once.
  const next = /\n|\*+|\[|h/gi;
  let typed = 0;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const [mark] = found;
    const at = found.index;
    const before = text.slice(Math.max(0, at - 2), at);
    let end = at + mark.length;
    if (mark === "\n" || mark.startsWith("*")) {
      asTyped(text.slice(typed, at));
      if (mark === "\n") put({ kind: "break" });
      else emphasis(mark.length, before, text.slice(end, end + 2));
      typed = end;
    } else if (mark === "[" || !/[a-z0-9]$/i.test(before)) {
      const [link, length] = linkAt(text, at);
      end = at + length;
      if (link) {
        asTyped(text.slice(typed, at));
        put(link);
        typed = end;
      }
    }
    next.lastIndex = end;
  }
  asTyped(text.slice(typed));
  while (open.length > 1) dissolve(open.length - 1);
  return root.content;
}

/** The link that begins at a place and how long it is, or how much of the text is no link. */
function linkAt(text: string, at: number): [Inline | undefined, number] {
  LABELLED.lastIndex = BARE.lastIndex = at;
  const labelled = LABELLED.exec(text);
  if (labelled) {
    const [whole, label = "", typed = ""] = labelled;
    const [address, host] = addressOf(typed);
    if (!address || !host) return [undefined, 1];
    const names = label.replace(/\/$/, "");
    const says = names === host || names === address.replace(/\/$/, "");
    return [{ kind: "link", text: label, address, ...(!says && { host }) }, whole.length];
  }
  const run = BARE.exec(text)?.[0] ?? "";
  let excess = run.split(")").length - run.split("(").length;
  let end = run.length;
  for (; end > 0; end--) {
    const last = run.charAt(end - 1);
    if (last === ")" && excess > 0) excess--;
    else if (!".,;:!?]}".includes(last)) break;
  }
  const shown = run.slice(0, end);
  const [address] = addressOf(shown);
  return address ? [{ kind: "link", text: shown, address }, end] : [undefined, Math.max(1, run.length)];
}

/** An address that may be linked, with its host in small letters, and that host: a name, not a number, without a user. */
function addressOf(typed: string): [string, string] | [] {
  if (typed.length > 2000 || !/^[\x21-\x7e]*$/.test(typed)) return [];
  const address = typed.replace(/^[^/]*\/\/[^/?#]*/, (origin) => origin.toLowerCase());
  const host = ADDRESS.exec(address)?.[1];
  return host ? [address, host] : [];
}
