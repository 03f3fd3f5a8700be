import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useConfig } from "../../session/config";
import { Notice } from "../../components/notice";
import { daySpan, moment } from "../../format/date";
import { useLanguage } from "../../i18n";
import { useMoney, useProviderName } from "./names";
import { type Preview, useImport } from "./queries";

type Warning = Preview["warnings"][number];

/** What to look at before confirming. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <>
      {warnings.map((warning, index) => (
        <OneWarning key={index} warning={warning} />
      ))}
    </>
  );
}

function OneWarning({ warning }: { warning: Warning }) {
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
  const written = { period_differs: days, other_provider: nameOf, money_differs: amount } as Partial<
    Record<Warning["code"], (text: string) => string>
  >;
  const write = written[warning.code] ?? ((text: string) => text || t("wholeFile"));
  return (
    <Notice tone={warning.code === "nothing_new" ? "info" : "warning"}>
      {t(`warning_${warning.code}`, {
        number: warning.count,
        found: write(warning.found),
        expected: write(warning.expected),
      })}{" "}
      {warning.importId && <OtherImport id={warning.importId} />}
    </Notice>
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
            who: other.uploadedBy,
            when: moment(other.uploadedAt, language, timeZone),
          })
        : t("openImport")}
    </Link>
  );
}
