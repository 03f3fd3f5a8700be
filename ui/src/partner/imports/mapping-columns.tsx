import { useId } from "react";
import { useTranslation } from "../../i18n/translation";
import type { Role } from "./mapping-queries";
import { roles, type Sample } from "./mapping-values";

interface MappingColumnsProps {
  sample: Sample;
  chosen: readonly (Role | "")[];
  /** What is wrong with a column. */
  wrong: (column: number) => string | undefined;
  onChange: (chosen: (Role | "")[]) => void;
}

const EXAMPLES = 3;

/** Every column of the file with its first values, and what it holds. */
export function MappingColumns({ sample, chosen, wrong, onChange }: MappingColumnsProps) {
  const { t } = useTranslation("imports");
  const id = useId();
  const choose = (column: number, role: Role | "") =>
    onChange(sample.head.map((_, index) => (index === column ? role : (chosen[index] ?? ""))));
  return (
    <table role="table" className="mapping-columns">
      <caption className="sr-only">{t("mapColumns")}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col">{t("column")}</th>
          <th scope="col">{t("mapExamples")}</th>
          <th scope="col">{t("mapHolds")}</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {sample.head.map((name, column) => {
          const error = wrong(column);
          const called = name || t("columnNumber", { number: column + 1 });
          const role = chosen[column] ?? "";
          return (
            <tr role="row" key={column} data-used={role !== "" || undefined}>
              <th role="rowheader" scope="row">
                {called}
              </th>
              <td role="cell">
                {sample.rows
                  .map((row) => row[column] ?? "")
                  .filter(Boolean)
                  .slice(0, EXAMPLES)
                  .map((value, index) => (
                    <span key={index}>{value}</span>
                  ))}
              </td>
              <td role="cell" className="imports-field">
                {name ? (
                  <select
                    aria-label={t("mapHoldsNamed", { column: called })}
                    value={role}
                    {...(error && { "aria-invalid": true, "aria-describedby": `${id}-${column}` })}
                    onChange={({ target }) => choose(column, target.value as Role | "")}
                  >
                    <option value="">{t("role_none")}</option>
                    {roles.map((one) => (
                      <option key={one} value={one}>
                        {t(`role_${one}`)}
                      </option>
                    ))}
                  </select>
                ) : (
                  <span className="imports-quiet">{t("mapUnnamed")}</span>
                )}
                {error && (
                  <p id={`${id}-${column}`} className="field-error">
                    {error}
                  </p>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
