import { Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { Notice } from "../../components/notice";
import { daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useMoney, useProviderName } from "./names";
import { type One, type Preview, useImport } from "./queries";
import styles from "./file-row.module.css";

type Warning = Preview["warnings"][number];

/** What to look at before confirming: each in a line of its own, or as a notice. */
export function Warnings({ warnings, lines = false }: { warnings: readonly Warning[]; lines?: boolean }) {
  return (
    <>
      {warnings.map((warning, index) => (
        <OneWarning key={index} warning={warning} line={lines} />
      ))}
    </>
  );
}

const quiet: readonly Warning["code"][] = ["nothing_new", "period_differs", "provider_as_before"];

function OneWarning({ warning, line }: { warning: Warning; line: boolean }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const nameOf = useProviderName();
  const { full } = useMoney();
  // Days come as `2026-09-21–2026-09-27`.
  const days = (text: string) => {
    const [from = "", to = ""] = text.split("–");
    return from ? daySpan(from, to, language) : "";
  };
  const amount = (minor: string) => full(Number(minor));
  const written = {
    period_differs: days,
    other_provider: nameOf,
    provider_as_before: nameOf,
    money_differs: amount,
  } as Partial<Record<Warning["code"], (text: string) => string>>;
  const write = written[warning.code] ?? ((text: string) => text || t("wholeFile"));
  const informs = quiet.includes(warning.code);
  const body = (
    <>
      {t(`warning_${warning.code}`, {
        number: warning.count,
        found: write(warning.found),
        expected: write(warning.expected),
      })}{" "}
      {warning.importId && <OtherImport id={warning.importId} />}
    </>
  );
  return (
    <Shown informs={informs} line={line}>
      {body}
    </Shown>
  );
}

function Shown({ informs, line, children }: { informs: boolean; line: boolean; children: ReactNode }) {
  if (!line) return <Notice tone={informs ? "info" : "warning"}>{children}</Notice>;
  const Icon = informs ? Info : TriangleAlert;
  return (
    <p className={styles.warning} data-informs={informs || undefined}>
      <Icon aria-hidden size={14} strokeWidth={2} />
      <span>{children}</span>
    </p>
  );
}

/** Why a file that was fetched by itself was not confirmed by itself. One that could not be read says so elsewhere. */
export function WhyItWaits({ one: { import: of, waitsFor }, line = false }: { one: One; line?: boolean }) {
  const { t } = useTranslation("imports");
  const over = waitsFor === "replaced" ? "cancelled" : "preview";
  if (!waitsFor || waitsFor === "unread" || of.status !== over) return null;
  return (
    <Shown informs={waitsFor !== "unusual" && waitsFor !== "unclear"} line={line}>
      {t(`waits_${waitsFor}`)} {!line && over === "preview" && <Link to="/upload">{t("partUpload")}</Link>}
    </Shown>
  );
}

/** Which other import is meant: its file, by whom and when. */
export function OtherImport({ id }: { id: string }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const other = useImport(id).data?.import;
  return (
    <Link to={`/log/${id}`}>
      {other
        ? t("otherImport", {
            file: other.fileName,
            who: other.uploadedBy || t("fetchedBy"),
            when: moment(other.uploadedAt, language, timeZone),
          })
        : t("openImport")}
    </Link>
  );
}
