import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const locales = resolve(import.meta.dirname, "../../../locales");

/**
 * What a person reads in a language, by the key of the text. Values may be anything, of plural forms any may stand there, and more may
 * follow.
 */
export function texts(language: string) {
  const of = (file: string) =>
    JSON.parse(readFileSync(resolve(locales, language, `${file}.json`), "utf8")) as Record<string, string>;
  return (key: string): RegExp => {
    const [file = "", name = ""] = key.split(":");
    const all = of(file);
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
