import { Link } from "react-router";
import { Figure, saidOf } from "../../charts/figure";
import { type Cover, Strip } from "../../charts/strip";
import { useProviderNames } from "../../explain/queries";
import { daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import type { Fleet } from "../../stats/calls";
import { weekDaysOf } from "../../stats/days";
import { tickOf } from "./ticks";
import styles from "./stats.module.css";

const COVERS: readonly Cover[] = ["complete", "partial", "missing", "late"];

/** Which files are there: without them every figure of this page is too small. */
export function Files({ of: { completeness } }: { of: Fleet }) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const nameOf = useProviderNames();
  const weeks = (completeness[0]?.weeks ?? []).map(({ week }) => ({ week, ...weekDaysOf(week) }));
  if (weeks.length === 0) return null;
  const all = completeness.flatMap((provider) => provider.weeks);
  const lacking = all.filter(({ state }) => state === "missing" || state === "partial").length;
  const lead = count(all.length - lacking, language);
  const finding = lacking === 0 ? t("filesAll", { count: all.length }) : t("filesSome", { count: all.length, lacking });
  const said = (state: Cover) => t(`cover_${state}`);
  return (
    <Figure
      title={t("filesTitle")}
      lead={lead}
      finding={finding}
      name="saldo-files"
      wide
      table={{
        columns: [
          { key: "app", title: t("app"), kind: "text" },
          ...weeks.map(({ week, from, to }) => ({
            key: week,
            title: daySpan(from, to, language),
            kind: "text" as const,
          })),
        ],
        rows: completeness.map((one) => [nameOf(one.provider), ...one.weeks.map(({ state }) => said(state))]),
        links: completeness.map(() => "/upload/coverage"),
      }}
    >
      <Strip
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("filesTitle") })}
        ticks={weeks.map(({ from }) => tickOf(from, language))}
        names={COVERS.filter((cover) => all.some(({ state }) => state === cover)).map((cover) => ({
          cover,
          label: said(cover),
        }))}
        rows={completeness.map((one) => ({
          key: one.provider,
          label: nameOf(one.provider),
          cells: one.weeks.map(({ week, state, imports }, nth) => {
            const days = weeks[nth];
            const last = imports.at(-1);
            return {
              key: week,
              cover: state,
              to: last ? `/log/${last}` : "/upload/coverage",
              head: `${nameOf(one.provider)}, ${days ? daySpan(days.from, days.to, language) : week}`,
              said: said(state),
            };
          }),
        }))}
      />
    </Figure>
  );
}

/** How long the licence lasts if it goes on so. */
export function Licence({ of: { licence } }: { of: Fleet }) {
  const { t } = useTranslation("stats");
  const language = useLanguage();
  const { left, perWeek, endsOn } = licence;
  return (
    <section className={styles.licence} aria-labelledby="stats-licence">
      <h2 id="stats-licence">{t("licenceTitle")}</h2>
      <p>
        <b>
          <Link to="/licenses/purchase">{t("licenceLeft", { count: left })}</Link>
        </b>{" "}
        {endsOn ? t("licenceEnds", { count: perWeek, day: daySpan(endsOn, endsOn, language) }) : t("licenceUnused")}
      </p>
    </section>
  );
}
