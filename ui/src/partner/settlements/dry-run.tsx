import { ChevronDown, CircleAlert, CircleCheck, OctagonAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { useSession } from "../../session/session";
import { Notice } from "../../components/notice";
import { StatusTag } from "../../components/status-tag";
import { daySpan } from "../../format/date";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useAmounts } from "../../session/amounts";
import { MoreUnits } from "./more-units";
import { type Check, type Run, useProviderName } from "./queries";
import { type Remark, refusals, remarks } from "./remarks";

/** How to settle what a dry run shows. */
export interface Start {
  share: boolean;
  partial: boolean;
  /** Before the period has ended, once its last day was read. */
  unfinished: boolean;
}

interface DryRunProps {
  run: Run;
  start: Start;
  onStart: (start: Start) => void;
  onShow: (code: string) => void;
}

/** Two figures that add up, why some stay, what to look at, what is left of the licence, and who sees it. */
export function DryRun({ run, start, onStart, onShow }: DryRunProps) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const { full } = useAmounts();
  return (
    <>
      <div className="run-figures">
        <div>
          <h3>
            <CircleCheck aria-hidden size={16} strokeWidth={1.75} className="run-good" />
            {t("willSettle")}
          </h3>
          <b>{count(run.drivers, language)}</b>
          <p>{t("toPay", { sum: full(run.payout) })}</p>
        </div>
        <div>
          <h3>
            <CircleAlert aria-hidden size={16} strokeWidth={1.75} className={run.refused > 0 ? "run-bad" : undefined} />
            {t("willNotSettle")}
          </h3>
          <b>{count(run.refused, language)}</b>
          <p>{t("stayPending")}</p>
        </div>
      </div>
      {run.refusals.length > 0 && (
        <Lines title={t("whyStay", { number: run.refused })}>
          {run.refusals.map((line) => (
            <RefusalLine key={line.code} line={line} onShow={onShow} />
          ))}
        </Lines>
      )}
      {run.drivers > 0 && (
        <>
          {run.endsOn && <Unfinished run={run} start={start} onStart={onStart} />}
          <Checks run={run} onShow={onShow} />
          <Licence run={run} start={start} onStart={onStart} />
          <label className="run-switch">
            <input
              type="checkbox"
              role="switch"
              checked={start.share}
              onChange={({ target }) => onStart({ ...start, share: target.checked })}
            />
            <span>
              {t("shareSwitch")}
              <small>{start.share ? t("shareOn", { number: run.drivers }) : t("shareOff")}</small>
            </span>
          </label>
        </>
      )}
    </>
  );
}

/** One part of the drawer under a title. */
export function Lines({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="run-lines" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

interface LineProps {
  icon: ReactNode;
  what: ReactNode;
  children?: ReactNode;
  end: ReactNode;
}

/** One line: what, about whom, and how much. */
export function Line({ icon, what, children, end }: LineProps) {
  return (
    <li className="run-line">
      {icon}
      <div>
        <p>{what}</p>
        {children && <small>{children}</small>}
      </div>
      <div className="run-line-end">{end}</div>
    </li>
  );
}

/** The first names, and how many more there are. */
function useNames() {
  const { t } = useTranslation("settlements");
  return ({ drivers, count: all }: Check) => {
    const names = drivers.map(({ firstName, lastName }) => `${lastName} ${firstName}`).join(", ");
    return all > drivers.length ? t("andOthers", { names, number: all - drivers.length }) : `${names}.`;
  };
}

function RefusalLine({ line, onShow }: { line: Check; onShow: (code: string) => void }) {
  const { t } = useTranslation("settlements");
  const { full } = useAmounts();
  const names = useNames();
  const remark = remarks.find(({ code }) => code === line.code);
  if (!remark) return null;
  const Icon = remark.icon;
  return (
    <Line
      icon={<Icon aria-hidden size={16} strokeWidth={1.75} className={remark.tone === "danger" ? "run-bad" : ""} />}
      what={
        <>
          {t(`check_${remark.code}`)} <span>{line.count}</span>
        </>
      }
      end={
        <>
          {line.code !== "uncomputed" && <span>{full(line.amount)}</span>}
          {line.amount < 0 && <small className="settlements-debt">{t("debt")}</small>}
        </>
      }
    >
      {names(line)} {line.code === "negative" && t("debtStays")}
      {line.code === "uncomputed" && t("uncomputedStays")}
      {line.code === "blocked" && t("blockedStays")}{" "}
      <button type="button" className="run-link" onClick={() => onShow(line.code)}>
        {t("showThem", { number: line.count })}
      </button>
    </Line>
  );
}

/** What was looked at: what is missing or strange, and in one line, which opens, what is fine. */
function Checks({ run, onShow }: { run: Run; onShow: (code: string) => void }) {
  const { t } = useTranslation("settlements");
  const names = useNames();
  const looked = remarks.filter(({ code }) => !refusals.includes(code));
  const found = looked.flatMap((remark) => {
    const check = run.checks.find(({ code }) => code === remark.code);
    return check ? [{ remark, check }] : [];
  });
  const fine = looked.filter(({ code }) => !run.checks.some((check) => check.code === code));
  const passed = fine.length + (run.missingFiles.length === 0 ? 1 : 0);
  const good = <CircleCheck aria-hidden size={16} strokeWidth={1.75} className="run-good" />;
  return (
    <Lines title={t("checks")}>
      {run.missingFiles.length > 0 && <MissingFiles run={run} />}
      {found.map(({ remark, check }) => (
        <Line
          key={remark.code}
          icon={<CheckIcon remark={remark} />}
          what={t(`check_${remark.code}`)}
          end={
            <StatusTag
              tone={remark.tone}
              icon={remark.icon}
              word={remark.tone === "neutral" ? String(check.count) : t("toCheck", { number: check.count })}
            />
          }
        >
          {names(check)}{" "}
          <button type="button" className="run-link" onClick={() => onShow(remark.code)}>
            {t("showThem", { number: check.count })}
          </button>
        </Line>
      ))}
      {passed > 0 && (
        <li>
          <details className="run-passed">
            <summary>
              {good}
              {t("checksPassed", { count: passed })}
              <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
            </summary>
            <ul>
              {run.missingFiles.length === 0 && <Line icon={good} what={t("filesAll")} end={t("allRight")} />}
              {fine.map(({ code }) => (
                <Line key={code} icon={good} what={t(`check_${code}`)} end={t("thereIsNone")} />
              ))}
            </ul>
          </details>
        </li>
      )}
    </Lines>
  );
}

function CheckIcon({ remark: { icon: Icon, tone } }: { remark: Remark }) {
  const classes = { danger: "run-bad", warning: "run-warning", neutral: "" };
  return <Icon aria-hidden size={16} strokeWidth={1.75} className={classes[tone]} />;
}

function MissingFiles({ run }: { run: Run }) {
  const { t } = useTranslation("settlements");
  const named = useProviderName();
  const mayImport = useSession().may("imports.read");
  const said = run.missingFiles
    .map(({ provider, state }) => t(state === "missing" ? "fileMissing" : "filePartial", { provider: named(provider) }))
    .join(", ");
  return (
    <Line
      icon={<OctagonAlert aria-hidden size={16} strokeWidth={1.75} className="run-bad" />}
      what={t("filesMissing")}
      end={<StatusTag tone="danger" icon={OctagonAlert} word={t("toCheck", { number: run.missingFiles.length })} />}
    >
      {said} {mayImport && <Link to="/upload">{t("upload")}</Link>}
    </Line>
  );
}

/** The period still runs: it is settled only on a person's word. */
function Unfinished({ run, start, onStart }: Pick<DryRunProps, "run" | "start" | "onStart">) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  return (
    <section className="run-unfinished">
      <Notice tone="warning">{t("unfinished", { day: daySpan(run.endsOn, run.endsOn, language) })}</Notice>
      <label className="run-fit">
        <input
          type="checkbox"
          checked={start.unfinished}
          onChange={({ target }) => onStart({ ...start, unfinished: target.checked })}
        />
        {t("unfinishedConfirm")}
      </label>
    </section>
  );
}

/** What is used, what this would use, and what would be left; where it is too little, the choice to settle what fits. */
function Licence({ run, start, onStart }: Pick<DryRunProps, "run" | "start" | "onStart">) {
  const { t } = useTranslation("settlements");
  const language = useLanguage();
  const id = useId();
  const left = Math.max(0, run.left);
  const now = Math.min(run.drivers, left);
  const used = Math.max(0, run.limit - left);
  const rest = left - now;
  const missing = run.drivers - now;
  const written = (number: number) => count(number, language);
  const share = (number: number) => `${run.limit > 0 ? (100 * number) / run.limit : 0}%`;
  return (
    <section className="run-licence" aria-labelledby={id}>
      <h3 id={id}>{t("licence")}</h3>
      <p>
        <span>{t("leftMinusNow", { left: written(left), now: written(now) })}</span>
        <b>{t("willBeLeft", { number: written(rest) })}</b>
      </p>
      <div className="run-licence-bar" aria-hidden>
        <span className="run-used" style={{ width: share(used) }} />
        <span className="run-now" style={{ width: share(now) }} />
      </div>
      <ul aria-hidden>
        <li className="run-key-used">{t("used", { number: written(used) })}</li>
        <li className="run-key-now">{t("now", { number: written(now) })}</li>
        <li className="run-key-left">{t("leftAfter", { number: written(rest) })}</li>
      </ul>
      {missing > 0 && (
        <>
          <Notice tone="danger" action={<MoreUnits />}>
            {t("unitsMissing", { number: missing })}
          </Notice>
          {now > 0 && (
            <label className="run-fit">
              <input
                type="checkbox"
                checked={start.partial}
                onChange={({ target }) => onStart({ ...start, partial: target.checked })}
              />
              {t("partial", { number: now })}
            </label>
          )}
        </>
      )}
    </section>
  );
}
