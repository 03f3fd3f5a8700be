import { ArrowRight, CircleCheck, CircleDashed } from "lucide-react";
import { lazy, Suspense } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useNavigate } from "react-router";
import { Button } from "../../components/button";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { useProviderNames } from "../../explain/queries";
import { daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { withStatsTexts } from "../../i18n/stats";
import { useAmounts } from "../../session/amounts";
import { useSession } from "../../session/session";
import { type Overview, type Pending, useOverview, usePendingTotals } from "./queries";
import { leftOf, nextStep, pathOf, type Step, steps } from "./steps";
import styles from "./home.module.css";

// Charts come when the work of the week is on screen.
const Figures = lazy(async () => (await Promise.all([import("./figures"), withStatsTexts()]))[0]);

/** The week at a glance: what is left of each step, and the one to do next. */
export default function HomePage() {
  const { t } = useTranslation("home");
  const language = useLanguage();
  const overview = useOverview();
  const pending = usePendingTotals(overview.data?.period.code);
  const { data } = overview;
  return (
    <>
      <PageHeader
        title={t("title")}
        meta={
          data && (
            <span className={styles.week}>
              <b>{daySpan(data.period.firstOn, data.period.lastOn, language)}</b>{" "}
              {t("week", { week: Number(data.period.code.slice(-2)) })}
            </span>
          )
        }
      />
      {overview.error && !data ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("unchanged")}
          problem={overview.error}
          onRetry={() => void overview.refetch()}
        />
      ) : (
        <div className={styles.page}>
          <Next overview={data} pending={pending.data} settled={!pending.isFetching} />
          <ol className={styles.steps} aria-label={t("steps")}>
            {steps.map((step) => (
              <Row key={step} step={step} overview={data} pending={pending.data} />
            ))}
          </ol>
          <Waiting />
          {data && data.failing > 0 && (
            <p className={styles.licence}>
              <Link to="/profile#services">{t("connectionsFail", { number: data.failing })}</Link>
            </p>
          )}
          <Suspense>
            <Figures strange={data?.strange} />
          </Suspense>
          {data && (
            <p className={styles.licence}>
              {t("licence")} <b>{t("licenceLeft", { number: data.left })}</b>
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** How many drivers wait for an answer; absent where nobody does. */
function Waiting() {
  const { t } = useTranslation("questions");
  const number = useSession().partner?.openQuestions ?? 0;
  if (number === 0) return null;
  return (
    <p className={styles.licence}>
      <Link to="/questions">{t("bell", { number })}</Link>
    </p>
  );
}

interface Known {
  overview: Overview | undefined;
  pending: Pending | undefined;
}

/** The one thing to do next. */
function Next({ overview, pending, settled }: Known & { settled: boolean }) {
  const { t } = useTranslation("home");
  const navigate = useNavigate();
  const says = useSays();
  const step = overview && nextStep(overview, pending);
  if (!overview || (!step && !settled))
    return (
      <section className={styles.next} aria-busy>
        <span className="bar" style={{ width: 260 }} />
      </section>
    );
  if (!step)
    return (
      <section className={styles.next}>
        <CircleCheck aria-hidden size={28} strokeWidth={1.75} className={styles.good} />
        <div>
          <h2>{t("allDoneTitle")}</h2>
          <p>{t("allDoneBody")}</p>
        </div>
      </section>
    );
  const { text } = says(step, overview, pending);
  const goes = step === "files" && overview.toConfirm > 0 ? t("go_confirm") : t(`go_${step}`);
  return (
    <section className={styles.next} aria-label={t("next")}>
      <div>
        <small>{t("next")}</small>
        <h2>{t(step)}</h2>
        <p>{text}</p>
      </div>
      <Button
        kind="primary"
        size="large"
        onClick={() => void navigate(step === "files" ? "/upload" : pathOf(step, overview))}
      >
        {goes}
      </Button>
    </section>
  );
}

/** What is left of a step; it opens the list that it counts. */
function Row({ step, overview, pending }: Known & { step: Step }) {
  const { t } = useTranslation("home");
  const language = useLanguage();
  const says = useSays();
  const left = overview && leftOf(overview, pending)[step];
  const done = left === 0;
  const Icon = done ? CircleCheck : CircleDashed;
  if (!overview)
    return (
      <li>
        <span className={styles.row}>
          <span className="bar" style={{ width: 180 }} />
        </span>
      </li>
    );
  const { text, sum } = says(step, overview, pending);
  return (
    <li>
      <Link className={styles.row} to={pathOf(step, overview)}>
        <Icon aria-hidden size={20} strokeWidth={1.75} className={done ? styles.good : styles.open} />
        <span className={styles.what}>
          <b>{t(step)}</b>
          <span>{text}</span>
        </span>
        {sum && <span className={styles.sum}>{sum}</span>}
        <span className={styles.count} data-none={done || undefined}>
          {left === undefined ? <span className="bar" style={{ width: 28 }} /> : count(left, language)}
        </span>
        <ArrowRight aria-hidden size={16} strokeWidth={1.75} className={styles.arrow} />
      </Link>
    </li>
  );
}

/** What is left of a step in words, with the money where there is some. */
function useSays() {
  const { t } = useTranslation("home");
  const { full } = useAmounts();
  const named = useProviderNames();
  return (step: Step, o: Overview, pending: Pending | undefined): { text: string; sum?: string } => {
    const join = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(" · ");
    switch (step) {
      case "files": {
        const missing = o.missingFiles.map(({ provider }) => provider);
        return {
          text:
            join(
              o.toConfirm > 0 && t("filesConfirm", { number: o.toConfirm }),
              missing.length > 0 && t("filesMissing", { names: missing.map(named).join(", ") }),
            ) || t("filesDone"),
        };
      }
      case "people":
        return { text: o.unmatched > 0 ? t("peopleLeft", { number: o.unmatched }) : t("peopleDone") };
      case "settle": {
        if (!pending) return { text: t("counting") };
        const refused = pending.drivers - pending.settleable;
        return {
          text:
            join(
              pending.settleable > 0 && t("settleLeft", { number: pending.settleable }),
              refused > 0 && t("settleRefused", { number: refused }),
            ) || t("settleDone"),
          ...(pending.settleable > 0 && { sum: full(pending.payout) }),
        };
      }
      case "send":
        return {
          text:
            join(
              o.unsent > 0 && t("sendLeft", { number: o.unsent }),
              o.failedMails > 0 && t("sendFailed", { number: o.failedMails }),
            ) || t("sendDone"),
        };
      case "pay":
        return o.unpaid > 0
          ? { text: t("payLeft", { number: o.unpaid }), sum: full(o.unpaidSum) }
          : { text: t("payDone") };
      case "bank":
        return {
          text:
            join(
              o.proposed > 0 && t("bankRelease", { number: o.proposed }),
              o.released > 0 && t("bankLeft", { number: o.released }),
            ) || t("bankDone"),
        };
      case "back":
        return { text: o.returned > 0 ? t("backLeft", { number: o.returned }) : t("backDone") };
    }
  };
}
