import { daySpan } from "../format/date";
import { money } from "../format/money";
import { count } from "../format/number";
import { change, share } from "../format/share";
import type { Language } from "../i18n/languages";

/** What a column of figures holds: amounts in minor units, shares in basis points. */
type Kind = "text" | "day" | "money" | "count" | "share" | "change" | "hundredths";

type Cell = string | number | null;

interface Column {
  key: string;
  title: string;
  kind: Kind;
}

/** The numbers of a chart, exact. */
export interface Table {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  /** Where the rows behind a row are, in the order of the rows. */
  links?: readonly (string | undefined)[];
}

const NONE = "–";

/** A cell as it stands on screen. */
export function textOf(cell: Cell, kind: Kind, language: Language): string {
  if (cell === null) return NONE;
  if (typeof cell === "string") return kind === "day" && cell !== "" ? daySpan(cell, cell, language) : cell;
  switch (kind) {
    case "money":
    case "hundredths":
      return money(BigInt(cell), language);
    case "share":
      return share(cell, language);
    case "change":
      return change(cell, language);
    default:
      return count(cell, language);
  }
}

const COMMA = new Set<Language>(["pl", "de", "uk", "ru"]);

/** A number as programs read it: no groups, a hyphen as its minus, the decimal sign of the language. */
function inFile(cell: number, kind: Kind, language: Language): string {
  if (kind === "count" || kind === "text" || kind === "day") return String(cell);
  const digits = String(Math.abs(cell)).padStart(3, "0");
  const sign = COMMA.has(language) ? "," : ".";
  return `${cell < 0 ? "-" : ""}${digits.slice(0, -2)}${sign}${digits.slice(-2)}`;
}

/** A text that a spreadsheet would compute stays a text. */
const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quoted = (text: string) => (/[";\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The table as a file for spreadsheets: UTF-8 with its mark, semicolons. */
export function csvOf({ columns, rows }: Table, language: Language): Blob {
  const head = columns.map(({ title, kind }) => (kind === "share" || kind === "change" ? `${title} (%)` : title));
  const lines = [
    head.map((one) => quoted(harmless(one))),
    ...rows.map((row) =>
      row.map((cell, nth) =>
        cell === null
          ? ""
          : typeof cell === "string"
            ? quoted(harmless(cell))
            : inFile(cell, columns[nth]?.kind ?? "text", language),
      ),
    ),
  ];
  const text = `\uFEFF${lines.map((line) => line.join(";")).join("\r\n")}\r\n`;
  return new Blob([text], { type: "text/csv;charset=utf-8" });
}
