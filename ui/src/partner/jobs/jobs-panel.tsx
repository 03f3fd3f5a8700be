import type { ReactNode } from "react";
import { Check, CircleDashed, CircleX, LoaderCircle } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { StatusTag } from "../../components/status-tag";
import { useSession } from "../../session/session";
import { type Job, useJobs, useRetryJob } from "./queries";

const looks = {
  waiting: { tone: "outline", icon: CircleDashed, word: "waiting" },
  running: { tone: "brand", icon: LoaderCircle, word: "running" },
  failed: { tone: "danger", icon: CircleX, word: "failed" },
  done: { tone: "success", icon: Check, word: "done" },
} as const;

/** What runs in the background, what failed and why. */
export function JobsPanel({ jobs, children }: { jobs: ReturnType<typeof useJobs>; children?: ReactNode }) {
  const { t } = useTranslation(["jobs", "faults"]);
  const retry = useRetryJob();
  const list = jobs.data;
  return (
    <div className="jobs">
      {children}
      <h2 className="jobs-title">{t("title")}</h2>
      {retry.isError && (
        <Notice tone="danger">
          {t("retryFailed")} {t(`faults:${retry.error.code}`, { replace: retry.error.params })}
        </Notice>
      )}
      {!list && jobs.isError && (
        <Notice tone="danger">
          {t("loadFailed")}. {t(`faults:${jobs.error.code}`, { replace: jobs.error.params })}
        </Notice>
      )}
      {!list && !jobs.isError && <JobsSkeleton />}
      {list?.length === 0 && (
        <p className="jobs-empty">
          <b>{t("emptyTitle")}</b>
          {t("emptyBody")}
        </p>
      )}
      {list && list.length > 0 && (
        <ul className="jobs-list">
          {list.map((job) => (
            <JobRow
              key={job.kind + job.about + job.id}
              job={job}
              busy={retry.isPending && retry.variables.id === job.id}
              onRetry={() => retry.mutate(job)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function JobRow({ job, busy, onRetry }: { job: Job; busy: boolean; onRetry: () => void }) {
  const { t } = useTranslation("jobs");
  const mayRetry = useSession().may("jobs.write");
  const result = ({ kind, state, done, total, failed }: Job) => {
    if (state === "running" || state === "waiting") return "";
    if (kind === "sending") return t(failed > 0 ? "sentSome" : "sentAll", { done, total, failed });
    if (kind === "settling") return t(failed > 0 ? "settledSome" : "settledAll", { done, total, failed });
    return "";
  };
  const name = t(job.kind === "other" ? "of_task" : `of_${job.kind}`) + (job.name && `: ${job.name}`);
  const { tone, icon, word } = looks[job.state];
  const to = pathOf(job);
  return (
    <li className="job">
      <div className="job-head">
        <span className="job-name">{to ? <Link to={to}>{name}</Link> : name}</span>
        <StatusTag tone={tone} icon={icon} word={t(word)} />
      </div>
      {job.state === "running" && job.total > 0 && <Progress name={name} done={job.done} total={job.total} />}
      {result(job) && <p className="job-result">{result(job)}</p>}
      {job.state === "failed" && job.id && (
        <div className="job-failure">
          <p>{job.error}</p>
          {mayRetry && (
            <Button size="small" loading={busy} aria-label={t("retryNamed", { name })} onClick={onRetry}>
              {t("retry")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** Where its result is. */
function pathOf({ kind, about }: Job): string | undefined {
  switch (kind) {
    case "sending":
      return `/settlements/settled?sending=${about}`;
    case "settling":
      return `/settlements/pending?run=${about}`;
    case "import":
      return `/log/${about}`;
    default:
      return undefined;
  }
}

function Progress({ name, done, total }: { name: string; done: number; total: number }) {
  const { t } = useTranslation("jobs");
  return (
    <div className="job-progress">
      <div role="progressbar" aria-label={name} aria-valuemin={0} aria-valuemax={total} aria-valuenow={done}>
        <span style={{ width: `${(100 * Math.min(done, total)) / total}%` }} />
      </div>
      {t("progress", { done, total })}
    </div>
  );
}

function JobsSkeleton() {
  const { t } = useTranslation();
  return (
    <ul className="jobs-list" aria-busy aria-label={t("loading")}>
      {[160, 130].map((width) => (
        <li key={width} className="job">
          <span className="bar" style={{ width }} />
        </li>
      ))}
    </ul>
  );
}
