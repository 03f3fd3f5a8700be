import { CircleCheck, CircleDashed, CircleDotDashed, ClockAlert } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { ImportsHead } from "./imports-head";
import { ProviderName } from "./names";
import { useCoverage, type Week } from "./queries";
import { weekDays } from "./weeks";

const looks = { complete: CircleCheck, partial: CircleDotDashed, missing: CircleDashed, late: ClockAlert };
const states = ["complete", "partial", "missing", "late"] as const;

/** Which weeks of which providers are there: a matrix of the last twelve. */
export default function CoveragePage() {
  const { t } = useTranslation(["imports", "common"]);
  const coverage = useCoverage();
  const providers = coverage.data;
  return (
    <>
      <ImportsHead />
      <div className="imports-lead">
        <p>{t("coverageLead")}</p>
      </div>
      {coverage.isError && !providers ? (
        <ErrorState
          title={t("coverageFailed")}
          undone={t("unchanged")}
          problem={coverage.error}
          onRetry={() => void coverage.refetch()}
        />
      ) : !providers ? (
        <div className="imports-cards" role="status" aria-label={t("common:loading")}>
          <span className="bar" style={{ width: 480 }} />
          <span className="bar" style={{ width: 480 }} />
        </div>
      ) : providers.length === 0 ? (
        <FirstUse
          icon={CircleDashed}
          title={t("coverageNoneTitle")}
          body={t("coverageNoneBody")}
          action={<Link to="/upload">{t("logAdd")}</Link>}
        />
      ) : (
        <Matrix providers={providers} />
      )}
    </>
  );
}

function Matrix({ providers }: { providers: NonNullable<ReturnType<typeof useCoverage>["data"]> }) {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const weeks = providers[0]?.weeks ?? [];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls sideways */}
      <div className="imports-matrix" role="region" tabIndex={0} aria-label={t("coverageCaption")}>
        <table>
          <caption className="sr-only">{t("coverageCaption")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("provider")}</th>
              {weeks.map(({ week }) => {
                const [from, to] = weekDays(week);
                return (
                  <th key={week} scope="col">
                    {daySpan(from, to, language)}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {providers.map(({ provider, weeks: covered }) => (
              <tr key={provider}>
                <th scope="row">
                  <ProviderName code={provider} />
                </th>
                {covered.map((week) => (
                  <td key={week.week}>
                    <Cover week={week} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <section className="imports-legend" aria-label={t("legend")}>
        <dl>
          {states.map((state) => {
            const Icon = looks[state];
            return (
              <div key={state}>
                <dt data-state={state}>
                  <Icon aria-hidden size={16} strokeWidth={1.75} />
                  {t(`cover_${state}`)}
                </dt>
                <dd>{t(`coverNote_${state}`)}</dd>
              </div>
            );
          })}
        </dl>
      </section>
    </>
  );
}

/** One week of one provider, as sign and word; where files brought it, the way to them. */
function Cover({ week: { state, days, imports } }: { week: Week }) {
  const { t } = useTranslation("imports");
  const Icon = looks[state];
  const inside = (
    <>
      <Icon aria-hidden size={14} strokeWidth={2} />
      {t(`cover_${state}`)}
      {state === "partial" && <small>{t("coverDays", { days })}</small>}
    </>
  );
  const [last] = imports.slice(-1);
  return last ? (
    <Link className="imports-cover" data-state={state} to={`/log/${last}`}>
      {inside}
    </Link>
  ) : (
    <span className="imports-cover" data-state={state}>
      {inside}
    </span>
  );
}
