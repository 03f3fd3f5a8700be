import { Bell as BellIcon } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Popover } from "../../components/popover";
import { JobsPanel } from "./jobs-panel";
import { isActive, useJobs, useLicence } from "./queries";
import { UnitsNote } from "./units-note";
import "./jobs.css";

/** The bell: how many background jobs failed and whether settlements run out, and all of it on a press. */
export function Bell() {
  const { t } = useTranslation("jobs");
  const jobs = useJobs();
  const failed = jobs.data?.filter((job) => job.state === "failed").length ?? 0;
  const { note } = useLicence().data ?? {};
  const told = failed + (note && !note.seen ? 1 : 0);
  const active = jobs.data?.filter(isActive).length ?? 0;
  return (
    <>
      <Popover
        label={t("title")}
        triggerLabel={failed > 0 ? t("bell", { count: failed }) : told > 0 ? t("bellUnits") : t("bellQuiet")}
        triggerClass="icon-button"
        trigger={
          <>
            <BellIcon aria-hidden size={18} strokeWidth={1.75} />
            {told > 0 && <span className="bell-badge">{told > 99 ? "99+" : told}</span>}
          </>
        }
      >
        {(close) => (
          <JobsPanel jobs={jobs}>
            <UnitsNote onLeave={close} />
          </JobsPanel>
        )}
      </Popover>
      <span className="sr-only" role="status">
        {active > 0 && t("statusRunning", { count: active })} {failed > 0 && t("statusFailed", { count: failed })}
      </span>
    </>
  );
}
