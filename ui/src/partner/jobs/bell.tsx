import { Bell as BellIcon } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Popover } from "../../components/popover";
import { JobsPanel } from "./jobs-panel";
import { isActive, useJobs } from "./queries";
import "./jobs.css";

/** The bell: how many background jobs failed, and all of them on a press. */
export function Bell() {
  const { t } = useTranslation("jobs");
  const jobs = useJobs();
  const failed = jobs.data?.filter((job) => job.state === "failed").length ?? 0;
  const active = jobs.data?.filter(isActive).length ?? 0;
  return (
    <>
      <Popover
        label={t("title")}
        triggerLabel={failed > 0 ? t("bell", { count: failed }) : t("bellQuiet")}
        triggerClass="icon-button"
        trigger={
          <>
            <BellIcon aria-hidden size={18} strokeWidth={1.75} />
            {failed > 0 && <span className="bell-badge">{failed > 99 ? "99+" : failed}</span>}
          </>
        }
      >
        {() => <JobsPanel jobs={jobs} />}
      </Popover>
      <span className="sr-only" role="status">
        {active > 0 && t("statusRunning", { count: active })} {failed > 0 && t("statusFailed", { count: failed })}
      </span>
    </>
  );
}
