/** What decides whether a person, or a screen reader, meets an element. */
const TELLING = /^\s*(display|visibility|opacity|pointer-events)\s*:/;

/** A stylesheet without the declarations that only change looks. */
export function telling(css: string): string {
  let kept = "";
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf("{", at);
    if (open < 0) break;
    let end = open + 1;
    for (let depth = 1; depth > 0 && end < css.length; end++)
      if (css[end] === "{") depth++;
      else if (css[end] === "}") depth--;
    const head = css.slice(css.lastIndexOf(";", open) > at ? css.lastIndexOf(";", open) + 1 : at, open);
    const body = css.slice(open + 1, end - 1);
    const left = /^\s*@(keyframes|font-face)/.test(head)
      ? ""
      : body.includes("{")
        ? telling(body)
        : body
            .split(";")
            .filter((line) => TELLING.test(line))
            .join(";");
    if (left) kept += `${head}{${left}}`;
    at = end;
  }
  return kept;
}

const sheets = new Map<string, string>();

/**
 * Ant Design writes thousands of rules into the page, and happy-dom matches every one of them with every element whenever
 * somebody asks for a role or a name. Only those rules are left that hide something: the answers are the same.
 */
export function keepOnlyTellingStyles() {
  const read = new WeakMap<HTMLStyleElement, { text: string; sheet: CSSStyleSheet }>();
  Object.defineProperty(HTMLStyleElement.prototype, "sheet", {
    configurable: true,
    get(this: HTMLStyleElement) {
      if (!this.isConnected) return null;
      const text = this.textContent;
      const known = read.get(this);
      if (known?.text === text) return known.sheet;
      const css = sheets.get(text) ?? telling(text);
      sheets.set(text, css);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      read.set(this, { text, sheet });
      return sheet;
    },
  });
}
