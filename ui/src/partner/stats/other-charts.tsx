import { Figure, saidOf } from "../../charts/figure";
import { LineChart } from "../../charts/line-chart";
import { type Cover, Strip } from "../../charts/strip";
import { useProviderNames } from "../../explain/queries";
import { daySpan, today } from "../../format/date";
import { count } from "../../format/number";
import { shortCount } from "../../format/short";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import type { Fleet } from "../../stats/calls";
import { later, weekDaysOf } from "../../stats/days";
import { tickOf } from "./ticks";

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
  const coverName = (state: Cover) => t(`cover_${state}`);
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
        rows: completeness.map((one) => [nameOf(one.provider), ...one.weeks.map(({ state }) => coverName(state))]),
        links: completeness.map(() => "/upload/coverage"),
      }}
    >
      <Strip
        label={saidOf(lead, finding)}
        list={t("charts:points", { title: t("filesTitle") })}
        ticks={weeks.map(({ from }) => tickOf(from, language))}
        names={COVERS.filter((cover) => all.some(({ state }) => state === cover)).map((cover) => ({
          cover,
          label: coverName(cover),
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
              said: coverName(state),
            };
          }),
        }))}
      />
    </Figure>
  );
}

/** No chart looks farther ahead than this. */
const AHEAD = 26;

/** How many settlements are left, and until when if as many are used as lately. */
export function Licence({ of: { licence } }: { of: Fleet }) {
  const { t } = useTranslation(["stats", "charts"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const { left, perWeek, endsOn } = licence;
  const lead = t("licenceLeft", { count: left });
  const finding = endsOn
    ? t("licenceEnds", { count: perWeek, day: daySpan(endsOn, endsOn, language) })
    : t("licenceUnused");
  const now = today(timeZone);
  const ahead =
    perWeek > 0 && left > 0
      ? [
          ...Array.from({ length: Math.min(AHEAD, Math.ceil(left / perWeek)) }, (_, nth) => ({
            day: later(now, 7 * nth),
            left: left - nth * perWeek,
          })),
          ...(left <= AHEAD * perWeek && endsOn ? [{ day: endsOn, left: 0 }] : []),
        ]
      : [];
  return (
    <Figure
      title={t("licenceTitle")}
      lead={lead}
      finding={finding}
      name="saldo-licence"
      table={{
        columns: [
          { key: "day", title: t("day"), kind: "day" },
          { key: "left", title: t("licenceShort"), kind: "count" },
        ],
        rows: ahead.map(({ day, left: then }) => [day, then]),
        links: ahead.map(() => PURCHASE),
      }}
    >
      {ahead.length > 0 && (
        <LineChart
          label={saidOf(lead, finding)}
          list={t("charts:points", { title: t("licenceTitle") })}
          lines={[{ key: "left", label: t("forecast"), look: "past", values: ahead.map((one) => one.left) }]}
          ticks={ahead.map(({ day }) => tickOf(day, language))}
          points={ahead.map(({ day, left: then }) => ({
            key: day,
            to: PURCHASE,
            head: daySpan(day, day, language),
            values: [t("licenceLeft", { count: then })],
          }))}
          written={(value) => shortCount(value, language)}
          straight
        />
      )}
    </Figure>
  );
}

const PURCHASE = "/licenses/purchase";
