import { useTranslation } from "../../i18n/translation";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { localeOf } from "../../i18n/languages";
import { ProviderName } from "./names";
import type { Import } from "./queries";

const delimiters = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;

/** Bytes as megabytes, with as many decimals as small files need. */
export function useMegabytes() {
  const language = useLanguage();
  return (bytes: number) =>
    new Intl.NumberFormat(localeOf(language), { maximumSignificantDigits: 2, useGrouping: "always" }).format(
      bytes >= 10_000_000 ? Math.round(bytes / 1_000_000) : bytes / 1_000_000,
    );
}

/** What a file was recognised as, the days it covers and how that is known, and how it is written. */
export function Facts({ of }: { of: Import }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const megabytes = useMegabytes();
  const delimiter = Object.entries(delimiters).find(([sign]) => sign === of.delimiter)?.[1];
  const format = [of.encoding, delimiter && t(delimiter)].filter(Boolean).join(", ");
  return (
    <dl className="imports-facts">
      {of.provider && of.kind && (
        <div>
          <dt>{t("recognised")}</dt>
          <dd>
            <ProviderName code={of.provider} kind={of.kind} />
          </dd>
        </div>
      )}
      {of.periodTo && (
        <div>
          <dt>{t("period")}</dt>
          <dd>
            {daySpan(of.periodFrom, of.periodTo, language)}
            {of.periodSource && <small>{t(`period_${of.periodSource}`)}</small>}
          </dd>
        </div>
      )}
      {of.city && (
        <div>
          <dt>{t("city")}</dt>
          <dd>{of.city}</dd>
        </div>
      )}
      {format && (
        <div>
          <dt>{t("format")}</dt>
          <dd>{format}</dd>
        </div>
      )}
      <div>
        <dt>{t("size")}</dt>
        <dd>
          {of.size < 100_000
            ? t("kilobytes", { size: megabytes(of.size * 1000) })
            : t("megabytes", { size: megabytes(of.size) })}
        </dd>
      </div>
    </dl>
  );
}
