import { CircleCheck, CircleDashed, Download, FileArchive, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { StatusTag } from "../../components/status-tag";
import { today } from "../../format/date";
import { dates } from "../../format/formatters";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import type { Language } from "../../i18n/languages";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { useConfig } from "../../session/config";
import { type Pack, useFetchPack, useMakePack, usePacks } from "./queries";
import styles from "./accountant.module.css";

/** How many months back can be chosen. */
const BACK = 24;

/** How many differences are listed at most. */
const LISTED = 100;

const SORTS = ["settlement", "payment", "document"] as const;

const named = (month: string, language: Language) =>
  dates(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-15T12:00:00Z`));

/** The months that are over, the last one first. */
function monthsBefore(day: string) {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return Array.from({ length: BACK }, (_, back) =>
    new Date(Date.UTC(year, month - 2 - back, 15)).toISOString().slice(0, 7),
  );
}

const STATES = {
  making: { tone: "neutral", icon: CircleDashed },
  ready: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: TriangleAlert },
} as const;

/** What an accountant gets of a month: made once, kept, and made anew where something changed. */
export default function PacksPage() {
  const { t } = useTranslation(["accountant", "documents", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const packs = usePacks();
  const make = useMakePack();
  const fetch = useFetchPack();
  const months = monthsBefore(today(timeZone));
  const [month, setMonth] = useState(months[0] ?? "");
  const problem = make.error ?? (fetch.error instanceof Problem ? fetch.error : null);
  return (
    <>
      <PageHeader title={t("documents:pack")} />
      <div className={styles.page}>
        <p>{t("lead")}</p>
        <form
          className={styles.make}
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate(month);
          }}
        >
          <Field label={t("month")}>
            {(control) => (
              <select {...control} value={month} onChange={({ target }) => setMonth(target.value)}>
                {months.map((one) => (
                  <option key={one} value={one}>
                    {named(one, language)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Button kind="primary" type="submit" loading={make.isPending}>
            {t("make")}
          </Button>
        </form>
        {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
        {packs.isError && !packs.data ? (
          <ErrorState
            title={t("loadFailed")}
            undone={t("unchanged")}
            problem={packs.error}
            onRetry={() => void packs.refetch()}
          />
        ) : !packs.data ? (
          <div className={styles.wait} role="status" aria-label={t("loading")} />
        ) : packs.data.length === 0 ? (
          <FirstUse icon={FileArchive} title={t("emptyTitle")} body={t("emptyBody")} />
        ) : (
          <ul className={styles.list} aria-label={t("documents:pack")}>
            {packs.data.map((one) => (
              <One
                key={one.id}
                pack={one}
                busy={fetch.isPending && fetch.variables === one.id}
                onFetch={() => fetch.mutate(one.id)}
                onRetry={() => make.mutate(one.month)}
              />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

interface OneProps {
  pack: Pack;
  busy: boolean;
  onFetch: () => void;
  onRetry: () => void;
}

function One({ pack, busy, onFetch, onRetry }: OneProps) {
  const { t } = useTranslation("accountant");
  const language = useLanguage();
  const { full: amount } = useAmounts();
  const { state } = pack;
  const title = t("version", { month: named(pack.month, language), version: pack.version });
  return (
    <li>
      <div className={styles.what}>
        <b>{title}</b>
        <div>
          <StatusTag
            {...STATES[state]}
            word={state === "making" ? t("making", { percent: pack.percent }) : t(`state_${state}`)}
          />
        </div>
        {state === "ready" && (
          <small>
            {t("contents", {
              settlements: count(pack.settlements, language),
              payout: amount(pack.payout),
              paid: amount(pack.paid),
              documents: count(pack.documents, language),
            })}
          </small>
        )}
        {state === "failed" && <small>{t("failed")}</small>}
        {pack.changes.length > 0 && <Changes of={pack} title={title} />}
      </div>
      {state === "ready" && (
        <Button icon={<Download aria-hidden size={16} strokeWidth={1.75} />} loading={busy} onClick={onFetch}>
          {t("file")}
        </Button>
      )}
      {state === "failed" && <Button onClick={onRetry}>{t("retry")}</Button>}
    </li>
  );
}

/** What is another than in the version before. */
function Changes({ of, title }: { of: Pack; title: string }) {
  const { t } = useTranslation("accountant");
  const language = useLanguage();
  const { full: amount } = useAmounts();
  return (
    <details className={styles.changes}>
      <summary>
        {t("changed", { number: count(of.changes.length, language) + (of.changes.length === LISTED ? "+" : "") })}
      </summary>
      <ul aria-label={t("changesTitle", { title })}>
        {of.changes.map((one) => {
          const [what, number = "", before, after] = one ?? [];
          const sort = SORTS.find((known) => known === what);
          return (
            sort && (
              <li key={`${sort} ${number}`}>
                {t(`sort_${sort}`, { number })}:{" "}
                {t(before ? (after ? "change_changed" : "change_removed") : "change_added")},{" "}
                {[before, after]
                  .filter(Boolean)
                  .map((minor) => amount(Number(minor)))
                  .join(" → ")}
              </li>
            )
          );
        })}
      </ul>
      {of.changes.length === LISTED && <p>{t("more", { number: count(of.changes.length, language) })}</p>}
    </details>
  );
}
