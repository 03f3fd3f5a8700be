import { useTranslation } from "../../i18n/translation";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Preview } from "./queries";

/** The first rows as the file has them, each table of it by itself. */
export function FirstRows({ preview }: { preview: Preview }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const tables = preview.parts
    .map((part) => ({ ...part, rows: preview.rows.filter((row) => row.part === part.name) }))
    .filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return null;
  return (
    <details className="imports-details">
      <summary>{t("firstRows")}</summary>
      {tables.map(({ name, head, rows }) => {
        const columns = Array.from({ length: Math.max(head.length, ...rows.map(({ cells }) => cells.length)) });
        return (
          // A region that scrolls can be reached by keyboard.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways
          <div key={name} className="imports-sheet" role="region" tabIndex={0} aria-label={name || t("firstRows")}>
            <table>
              {name && <caption>{name}</caption>}
              <thead>
                <tr>
                  <th scope="col">{t("line")}</th>
                  {columns.map((_, index) => (
                    <th key={index} scope="col">
                      {[head[index], t("columnNumber", { number: index + 1 })].find(Boolean)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ line, cells }) => (
                  <tr key={line}>
                    <th scope="row">{count(line, language)}</th>
                    {columns.map((_, index) => (
                      <td key={index}>{cells[index]}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        );
      })}
    </details>
  );
}
