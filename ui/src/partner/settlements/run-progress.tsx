import { useTranslation } from "../../i18n/translation";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Run } from "./queries";

/** How far a run is, as a bar and in words. */
export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const done = Math.min(run.place, run.drivers);
  const words = t("progress", { done: count(done, language), all: count(run.drivers, language) });
  return (
    <div className="settlements-progress">
      <div
        role="progressbar"
        aria-label={t("run_running")}
        aria-valuetext={words}
        aria-valuemin={0}
        aria-valuemax={run.drivers}
        aria-valuenow={done}
      >
        <span style={{ width: `${run.drivers > 0 ? (100 * done) / run.drivers : 0}%` }} />
      </div>
      <span aria-live="polite">{words}</span>
    </div>
  );
}
