import { ArrowLeft, Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useParams } from "react-router";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { useConfig } from "../../session/config";
import { ErrorState } from "../../components/error-state";
import { History, HistoryLine } from "../../components/history";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { CountsTable } from "./counts-table";
import { Facts } from "./facts";
import { FirstRows } from "./first-rows";
import { Refusal } from "./failure";
import { ImportRows } from "./import-rows";
import { MoneyTable } from "./money-table";
import { ImportStatus } from "./names";
import { People } from "./people";
import { type Import, type One, originalFile, useImport } from "./queries";
import { RemoveButton } from "./remove-dialog";
import { RowErrors } from "./row-errors";
import { OtherImport, Warnings, WhyItWaits } from "./warnings";
import { Working } from "./working";
import "./imports.css";

/** One import: what the file is, what became of it, and every row that it brought. */
export default function ImportPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation(["imports", "common"]);
  const found = useImport(id);
  if (found.isError && !found.data)
    return (
      <Page title={t("oneTitle")}>
        <ErrorState
          title={t("oneFailed")}
          undone={t("unchanged")}
          problem={found.error}
          onRetry={() => void found.refetch()}
        />
      </Page>
    );
  if (!found.data)
    return (
      <Page title={t("oneTitle")}>
        <div className="imports-cards" role="status" aria-label={t("common:loading")}>
          {[320, 480, 400].map((width) => (
            <span key={width} className="bar" style={{ width }} />
          ))}
        </div>
      </Page>
    );
  return <Known one={found.data} at={found.dataUpdatedAt} />;
}

function Page(props: { title: string; meta?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation("imports");
  return (
    <>
      <nav className="imports-back">
        <Link to="/log">
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {t("backToLog")}
        </Link>
      </nav>
      <PageHeader title={props.title} meta={props.meta} actions={props.actions} />
      {props.children}
    </>
  );
}

function Known({ one, at }: { one: One; at: number }) {
  const { import: of, preview, progress } = one;
  const { t } = useTranslation(["imports", "faults"]);
  const [problem, setProblem] = useState<Problem>();
  const analyzed = preview.parts.length > 0;
  const download = async () => {
    setProblem(undefined);
    try {
      await originalFile(of);
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    }
  };
  return (
    <Page
      title={of.fileName}
      meta={<ImportStatus of={of} />}
      actions={
        <>
          <Button icon={<Download aria-hidden size={16} strokeWidth={1.75} />} onClick={() => void download()}>
            {t("download")}
          </Button>
          {of.status === "success" && <RemoveButton of={of} />}
        </>
      }
    >
      <div className="imports-one">
        {problem && (
          <Notice tone="danger">
            {t("downloadFailed")} {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        )}
        {of.status === "failed" && <Refusal of={of} />}
        {of.status === "removing" && <Working of={of} progress={progress} at={at} />}
        <WhyItWaits one={one} />
        {of.duplicateOf && of.status === "duplicated" && (
          <Notice tone="warning">
            {t("duplicatedTitle")} <OtherImport id={of.duplicateOf} />
          </Notice>
        )}
        <Facts of={of} />
        {analyzed && (
          <>
            {of.status !== "removed" && of.status !== "removing" && <Warnings warnings={preview.warnings} />}
            <CountsTable counts={of.counts} />
            <div className="imports-boxes">
              <MoneyTable title={t("moneyOf")} totals={of.totals} />
              <RowErrors of={of} preview={preview} />
              <People preview={preview} />
            </div>
            <FirstRows preview={preview} />
          </>
        )}
        <Story of={of} />
      </div>
      {(of.status === "success" || of.status === "removed") && <ImportRows id={of.id} />}
    </Page>
  );
}

/** Who did what with the file, the newest first. */
function Story({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  const { timeZone } = useConfig();
  const source = of.source === "fuel.orlen" || of.source === "fuel.mailbox" ? t(`from.${of.source}`) : "";
  const lines = [
    { what: t("removedBy"), who: of.removedBy, at: of.removedAt },
    { what: t(source && !of.confirmedBy ? "confirmedAlone" : "confirmedBy"), who: of.confirmedBy, at: of.confirmedAt },
    { what: t(source ? "fetchedBy" : "uploadedBy"), who: of.uploadedBy || source, at: of.uploadedAt },
  ];
  return (
    <History>
      {lines.map(
        ({ what, who, at }) => at && <HistoryLine key={what} what={what} who={who} at={at} timeZone={timeZone} />,
      )}
    </History>
  );
}
