// Writes src/i18n/english.d.ts: the texts of locales/en as types. A JSON file is imported with its keys, but each text
// as any string; only with the text itself does the compiler know that "{{name}}" needs a name.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const english = join(import.meta.dirname, "..", "..", "locales", "en");
const target = join(import.meta.dirname, "..", "src", "i18n", "english.d.ts");

const files = readdirSync(english).map(
  (file) => `  "${file.replace(/\.json$/, "")}": ${readFileSync(join(english, file), "utf8").trim()};`,
);
const written = `// Written by scripts/english.mjs from locales/en.\nexport interface English {\n${files.join("\n")}\n}\n`;
// An unchanged file keeps its time, so that make builds nothing again.
if (!existsSync(target) || readFileSync(target, "utf8") !== written) writeFileSync(target, written);
