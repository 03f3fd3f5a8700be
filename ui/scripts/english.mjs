// Writes src/i18n/english.d.ts: the keys of locales/en as types, and for each the values that its text has places for. With
// that the compiler knows that "{{name}}" needs a name; the texts themselves would make it slow.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const english = join(import.meta.dirname, "..", "..", "locales", "en");
const target = join(import.meta.dirname, "..", "src", "i18n", "english.d.ts");

/** The places in a text by name, with the type of what fills them. */
const placesOf = (text) =>
  [...text.matchAll(/\{\{(\w+)(, number)?\}\}/g)].map(([, name, number]) => [name, number ? "number" : "Value"]);

const files = readdirSync(english).map((file) => {
  const texts = JSON.parse(readFileSync(join(english, file), "utf8"));
  const keys = Object.keys(texts).map((key) => {
    const stem = /^(.*)_(?:one|other)$/.exec(key)?.[1];
    const forms = stem === undefined ? [key] : [`${stem}_one`, `${stem}_other`];
    const places = new Map(forms.flatMap((form) => placesOf(texts[form] ?? "")));
    if (forms.length > 1) places.set("count", "number"); // it chooses the form
    const named = [...places].map(([name, type]) => `${name}: ${type}`);
    return `    ${JSON.stringify(key)}: {${named.length > 0 ? ` ${named.join("; ")} ` : ""}};`;
  });
  return `  "${file.replace(/\.json$/, "")}": {\n${keys.join("\n")}\n  };`;
});
const written = `// Written by scripts/english.mjs from locales/en.
type Value = string | number | undefined;
export interface English {
${files.join("\n")}
}
`;
// An unchanged file keeps its time, so that make builds nothing again.
if (!existsSync(target) || readFileSync(target, "utf8") !== written) writeFileSync(target, written);
