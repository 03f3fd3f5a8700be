import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const locales = resolve(import.meta.dirname, "../../../locales");

/**
 * What a person reads in a language, by the key of the text. Values may be anything, of plural forms any may stand there, and more may
 * follow.
 */
export function texts(language: string) {
  const files = new Map<string, Record<string, string>>();
  return (key: string): RegExp => {
    const [file = "", name = ""] = key.split(":");
    const all = files.get(file) ?? JSON.parse(readFileSync(resolve(locales, language, `${file}.json`), "utf8"));
    files.set(file, all);
    const forms = ["", "_one", "_few", "_many", "_other"].flatMap((form) => all[`${name}${form}`] ?? []);
    if (forms.length === 0) throw new Error(`there is no text ${key} in ${language}`);
    const pattern = (text: string) =>
      text
        .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
        .replace(/\{\{\w+, number\}\}/g, "[\\d\\s,.]+")
        .replace(/\{\{.+?\}\}/g, ".+");
    return new RegExp(`^(${forms.map(pattern).join("|")})`);
  };
}
