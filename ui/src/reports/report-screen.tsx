import { Download, FileSearch } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { Problem } from "../api/problem";
import { save } from "../browser/save";
import { Button } from "../components/button";
import { FirstUse } from "../components/empty-state";
import { ErrorState } from "../components/error-state";
import { Menu, MenuItem } from "../components/menu";
import { Notice } from "../components/notice";
import { PageHeader } from "../components/page-header";
import { useScreenName } from "../components/screen-name";
import { daySpan } from "../format/date";
import { useLanguage } from "../i18n";
import { useTranslation } from "../i18n/translation";
import { type Format, type Parameters, type Report, reportFile, type Side, useReports, useResult } from "./calls";
import { Fields, type Picker } from "./fields";
import { addressOf, askedOf, valuesOf } from "./parameters";
import { ResultTable } from "./result";
import styles from "./reports.module.css";

interface ScreenProps {
  side: Side;
  /** Of the address. */
  code: string;
  picker?: Picker;
}

/** One report: what it asks for, what it shows, and the same as a file. */
export function ReportScreen({ side, code, picker }: ScreenProps) {
  const { t } = useTranslation("reports");
  const language = useLanguage();
  const found = useReports(side, language);
  const report = found.data?.find((one) => one.code === code);
  useScreenName(report?.title ?? "");
  if (found.isError && !found.data)
    return (
      <ErrorState
        level={1}
        title={t("loadFailed")}
        undone={t("unchanged")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!found.data) return <div className={styles.wait} role="status" aria-label={t("loading")} />;
  if (!report) return <FirstUse icon={FileSearch} title={t("unknownTitle")} body={t("unknownBody")} />;
  return <Asked key={report.id} side={side} report={report} picker={picker} />;
}

/** What a question begins with: the days that are asked for most. */
const USUAL: Parameters = { days: "last_4_weeks" };

const FORMATS = ["xlsx", "csv", "pdf"] as const satisfies readonly Format[];

interface AskedProps {
  side: Side;
  report: Report;
  picker: Picker | undefined;
}

function Asked({ side, report, picker }: AskedProps) {
  const { t } = useTranslation(["reports", "faults"]);
  const language = useLanguage();
  const [params, setParams] = useSearchParams();
  // What needs no answer is shown at once.
  const asked =
    askedOf(params, report.ask) ?? (valuesOf(report.ask).some(({ required }) => required) ? undefined : USUAL);
  const page = Math.max(1, Math.trunc(Number(params.get("page")) || 1));
  const [typed, setTyped] = useState<Parameters>(asked ?? USUAL);
  const question = {
    side,
    report: asked && report.code,
    parameters: asked ?? USUAL,
    lang: language,
  };
  const result = useResult({ ...question, page });
  const [refused, setRefused] = useState<Problem>();
  const [making, setMaking] = useState(false);
  const show = () => {
    setRefused(undefined);
    const next = addressOf(typed);
    // The same question once more is asked anew.
    if (next.toString() === params.toString()) void result.refetch();
    else setParams(next, { replace: asked !== undefined });
  };
  const turn = (to: number) => {
    const next = new URLSearchParams(params);
    if (to > 1) next.set("page", String(to));
    else next.delete("page");
    setParams(next);
  };
  const make = async (format: Format) => {
    setMaking(true);
    setRefused(undefined);
    try {
      const { content, name } = await reportFile(question, format);
      save(content, name);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setRefused(reason);
    } finally {
      setMaking(false);
    }
  };
  const problem = refused ?? (result.isError ? result.error : undefined);
  const atField = problem?.fields.length !== undefined && problem.fields.length > 0;
  const data = result.isError ? undefined : result.data;
  return (
    <>
      <PageHeader
        title={report.title}
        meta={data?.from && daySpan(data.from, data.to, language)}
        actions={
          data &&
          data.rows.length > 0 &&
          (making ? (
            <Button loading>{t("making")}</Button>
          ) : (
            <Menu
              label={t("download")}
              placement="below"
              align="end"
              triggerClass="button button-default button-middle"
              trigger={
                <>
                  <Download aria-hidden size={16} strokeWidth={1.75} />
                  {t("download")}
                </>
              }
            >
              {FORMATS.map((format) => (
                <MenuItem key={format} onSelect={() => void make(format)}>
                  {t(`format_${format}`)}
                </MenuItem>
              ))}
            </Menu>
          ))
        }
      />
      <form
        className={styles.ask}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <Fields ask={report.ask} value={typed} onChange={setTyped} problem={problem} picker={picker} />
        <Button kind="primary" type="submit" loading={result.isFetching}>
          {t("show")}
        </Button>
      </form>
      {problem && !atField && (
        <div className={styles.inset}>
          <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>
        </div>
      )}
      {problem && atField && (
        <p className="sr-only" role="alert">
          {t(`faults:${problem.code}`, { replace: problem.params })}
        </p>
      )}
      {!asked ? (
        <p className={styles.hint}>{t("askHint")}</p>
      ) : !data ? (
        !problem && <div className={styles.wait} role="status" aria-label={t("loading")} />
      ) : data.rows.length === 0 ? (
        <FirstUse icon={FileSearch} title={t("noRowsTitle")} body={t("noRowsBody")} />
      ) : (
        <div className={styles.result}>
          <ResultTable of={data} stale={result.isPlaceholderData} />
          {(page > 1 || data.rowsLeftOut > 0) && (
            <div className={styles.pages}>
              <Button disabled={page <= 1} onClick={() => turn(page - 1)}>
                {t("pageBefore")}
              </Button>
              <Button disabled={data.rowsLeftOut <= 0} onClick={() => turn(page + 1)}>
                {t("pageNext")}
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}
