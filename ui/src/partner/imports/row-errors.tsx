import { Download, OctagonAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Notice } from "../../components/notice";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useMoney } from "./names";
import { type Import, type Preview, refusedFile } from "./queries";

type Group = Preview["rowErrors"][number];

const FEW = 5;

/** Rows that are not imported, by cause: where, what stands there, what should, and what to do. */
export function RowErrors({ of, preview }: { of: Import; preview: Preview }) {
  const { t } = useTranslation(["imports", "faults"]);
  const language = useLanguage();
  const [problem, setProblem] = useState<Problem>();
  const failed = preview.counts.transactions.failed;
  const download = async () => {
    setProblem(undefined);
    try {
      await refusedFile(of.id, language);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return (
    <section className="imports-box">
      <header>
        <h3>
          {t("rowErrors")} {failed > 0 && <span>{count(failed, language)}</span>}
        </h3>
        {failed > 0 && (
          <Button
            kind="link"
            size="small"
            icon={<Download aria-hidden size={14} strokeWidth={2} />}
            onClick={() => void download()}
          >
            {t("refused")}
          </Button>
        )}
      </header>
      {problem && (
        <Notice tone="danger">
          {t("refusedFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
        </Notice>
      )}
      {preview.rowErrors.length === 0 && <p className="imports-quiet">{t("rowErrorsNone")}</p>}
      <ul className="imports-row-errors">
        {preview.rowErrors.map((group) => (
          <RowErrorGroup key={group.code} group={group} />
        ))}
      </ul>
      <RowWarnings preview={preview} />
    </section>
  );
}

function RowErrorGroup({ group }: { group: Group }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const [all, setAll] = useState(false);
  const [example] = group.first;
  const lines = [...new Set(group.first.map(({ line }) => line))].filter((line) => line > 0);
  const rest = group.count - group.first.length;
  // A row may have the same error in many cells; where all are known, rows are counted.
  const many = rest === 0 && lines.length > 0 ? lines.length : group.count;
  return (
    <li>
      <OctagonAlert aria-hidden size={16} strokeWidth={1.75} />
      <div>
        <h4>
          {t(`rowError_${group.code}`)} <span>{count(many, language)}</span>
        </h4>
        {lines.length > 0 && (
          <p className="imports-quiet">
            {t("rowsAt", {
              rows: lines
                .slice(0, FEW * 2)
                .map((line) => count(line, language))
                .join(", "),
            })}
            {lines.length > FEW * 2 && "…"}
          </p>
        )}
        {example && !all && <Cell rowError={example} />}
        {all && (
          <ol className="imports-each">
            {group.first.map((rowError, index) => (
              <li key={index}>
                <span>
                  {t("line")} {count(rowError.line, language)}
                </span>
                <Cell rowError={rowError} />
              </li>
            ))}
            {rest > 0 && <li>{t("andMore", { number: rest })}</li>}
          </ol>
        )}
        <p>{t(`fix_${group.code}`)}</p>
        {group.first.length > 1 && !all && (
          <Button size="small" onClick={() => setAll(true)}>
            {t("showAll")}
          </Button>
        )}
      </div>
    </li>
  );
}

function Cell({ rowError }: { rowError: Group["first"][number] }) {
  const { t } = useTranslation("imports");
  return (
    <dl className="imports-cell">
      {rowError.column && (
        <div>
          <dt>{t("column")}</dt>
          <dd>{rowError.column}</dd>
        </div>
      )}
      <div>
        <dt>{t("found")}</dt>
        <dd>
          <b>{rowError.found || t("nothingFound")}</b>
        </dd>
      </div>
      {rowError.expected && (
        <div>
          <dt>{t("expected")}</dt>
          <dd>{rowError.expected}</dd>
        </div>
      )}
    </dl>
  );
}

/** Rows whose own total is not what their parts add up to. They are imported, and shown. */
function RowWarnings({ preview }: { preview: Preview }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { plain } = useMoney();
  if (preview.rowWarningCount === 0) return null;
  const shown = preview.rowWarnings.slice(0, FEW);
  return (
    <div className="imports-row-warnings">
      <h4>
        {t("rowWarnings")} <span>{count(preview.rowWarningCount, language)}</span>
      </h4>
      <p className="imports-quiet">{t("rowWarningsNote")}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("line")}</th>
            <th scope="col">{t("says")}</th>
            <th scope="col">{t("adds")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ line, column, says, adds }) => (
            <tr key={`${line} ${column}`}>
              <th scope="row">
                {count(line, language)} <small>{column}</small>
              </th>
              <td>{plain(says)}</td>
              <td>{plain(adds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {preview.rowWarningCount > shown.length && (
        <p className="imports-quiet">{t("andMore", { number: preview.rowWarningCount - shown.length })}</p>
      )}
    </div>
  );
}
