import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { Notice } from "../../components/notice";
import { DescribeLink } from "./describe-link";
import { asksWhose, useProviderName } from "./names";
import { type Import, orderOf, type Part } from "./queries";
import { useReread } from "./reread";
import { OtherImport } from "./warnings";

/** A file that brought nothing: why, and what to do. */
export function Failure({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  const mayWrite = useSession().may("imports.write");
  if (of.status === "duplicated")
    return (
      <Notice tone="warning">
        {t("duplicatedTitle")} {of.duplicateOf && <OtherImport id={of.duplicateOf} />}
        {mayWrite && <Anyway of={of} />}
      </Notice>
    );
  return mayWrite && asksWhose(of) ? <Whose of={of} /> : <Refusal of={of} />;
}

// Every file that the server can name is here and has its text, or this does not compile.
const suggestedReports: Record<Exclude<Part["suggestedReport"], "">, true> = {
  "bolt.earnings": true,
  "freenow.earnings_with_vat": true,
  "uber.payments_driver": true,
  "uber.language": true,
};
const reports = Object.keys(suggestedReports) as (keyof typeof suggestedReports)[];

/** Why a file failed, in words; and where it is the wrong one, which to fetch instead. */
export function Refusal({ of }: { of: Import }) {
  const { t } = useTranslation(["imports", "faults"]);
  const other = reports.find((key) => key === of.faultParams.suggestedReport);
  const { part = "", line = "" } = of.faultParams;
  return (
    <Notice tone="danger">
      <p>
        <b>{t("failedTitle")}</b>
      </p>
      {of.fault && <p>{t(`faults:${of.fault}`, { replace: of.faultParams })}</p>}
      {(part || line) && <p>{[part, line && t("rowsAt", { rows: line })].filter(Boolean).join(", ")}</p>}
      {other && <p>{t(`instead_${other}`)}</p>}
      <DescribeLink of={of} />
    </Notice>
  );
}

/** A file that does not say whose rows it holds: one press says it. */
function Whose({ of }: { of: Import }) {
  const { t } = useTranslation(["imports", "faults"]);
  const nameOf = useProviderName();
  const choices = (of.faultParams.choices ?? "").split(", ").filter(Boolean);
  const { busy, problem, reread } = useReread(of);
  return (
    <fieldset className="imports-question imports-whose">
      <legend>{t("whose")}</legend>
      {choices.map((code) => (
        <Button key={code} loading={busy} onClick={() => void reread({ ...orderOf(of), provider: code })}>
          {nameOf(code)}
        </Button>
      ))}
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
    </fieldset>
  );
}

/** Imports the content of another import once more, because somebody says so. */
function Anyway({ of }: { of: Import }) {
  const { t } = useTranslation(["imports", "faults"]);
  const { busy, problem, reread } = useReread(of);
  return (
    <>
      {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
      <Button loading={busy} onClick={() => void reread({ ...orderOf(of), allowDuplicates: true })}>
        {t("duplicatedAnyway")}
      </Button>
    </>
  );
}
