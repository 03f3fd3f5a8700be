import { ArrowLeft, TriangleAlert, UsersRound } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { StatusTag } from "../../components/status-tag";
import { useUndoToast } from "../../components/undo-toast";
import { PAIRS, type Pair, usePossibleDuplicates, useProposeAgain, useDismissDuplicate } from "./merge-queries";
import "./drivers.css";
import "./merge.css";

/** Pairs who may be one person, with what speaks for it. A person decides about each. */
export default function DuplicatesPage() {
  const { t } = useTranslation(["merge", "common", "drivers"]);
  const [params, setParams] = useSearchParams();
  const dismissed = params.get("show") === "dismissed";
  const page = Math.max(1, Math.trunc(Number(params.get("page")) || 1));
  const duplicates = usePossibleDuplicates(dismissed, page);
  const found = duplicates.data;
  const go = (to: { show?: string; page?: string }) => setParams(new URLSearchParams(to), { preventScrollReset: true });
  const turn = (to: number) => go({ ...(dismissed && { show: "dismissed" }), ...(to > 1 && { page: String(to) }) });
  return (
    <>
      <nav className="driver-back">
        <Link to="/drivers">
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {t("drivers:back")}
        </Link>
      </nav>
      <PageHeader title={t("duplicates")} meta={found && t("pairs", { count: found.total })} />
      <div className="drivers-filter">
        <div className="drivers-views" role="group" aria-label={t("show")}>
          <button type="button" className="drivers-view" aria-pressed={!dismissed} onClick={() => go({})}>
            {t("proposed")}
          </button>
          <button
            type="button"
            className="drivers-view"
            aria-pressed={dismissed}
            onClick={() => go({ show: "dismissed" })}
          >
            {t("dismissed")}
          </button>
        </div>
      </div>
      {duplicates.isError ? (
        <ErrorState
          title={t("duplicatesFailed")}
          undone={t("unchanged")}
          problem={duplicates.error}
          onRetry={() => void duplicates.refetch()}
        />
      ) : !found ? (
        <div className="driver-wait" role="status" aria-label={t("common:loading")}>
          {[1, 2, 3].map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
      ) : found.total === 0 ? (
        <FirstUse icon={UsersRound} title={t("noneTitle")} body={dismissed ? t("noneDismissed") : t("noneBody")} />
      ) : (
        <div className="duplicates">
          <p>{t("duplicatesLead")}</p>
          <ul>
            {found.pairs.map((pair) => (
              <One key={`${pair.one.id} ${pair.two.id}`} pair={pair} dismissed={dismissed} />
            ))}
          </ul>
          {found.total > PAIRS && (
            <div className="drivers-pages">
              <Button disabled={page <= 1} onClick={() => turn(page - 1)}>
                {t("earlier")}
              </Button>
              <Button disabled={page * PAIRS >= found.total} onClick={() => turn(page + 1)}>
                {t("more")}
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}

function One({ pair, dismissed }: { pair: Pair; dismissed: boolean }) {
  const { t } = useTranslation(["merge", "faults"]);
  const mayWrite = useSession().may("drivers.write");
  const dismiss = useDismissDuplicate();
  const again = useProposeAgain();
  const offerUndo = useUndoToast();
  const done = useDoneToast();
  const two = { one: pair.one.id, two: pair.two.id };
  const failed = dismiss.error ?? again.error;
  const nameOf = (side: Pair["one"]) => `${side.lastName} ${side.firstName}`;
  const both = `${nameOf(pair.one)}, ${nameOf(pair.two)}`;
  const dismissNow = async () => {
    try {
      await dismiss.mutateAsync(two);
    } catch {
      return; // the row says why
    }
    offerUndo({
      icon: UsersRound,
      text: t("toldApart"),
      undo: () => void again.mutateAsync(two).then(() => done(t("again"))),
    });
  };
  return (
    <li>
      <div className="duplicates-pair">
        {[pair.one, pair.two].map((side) => (
          <span key={side.id} className="driver-who">
            <Link to={`/drivers/${side.id}`}>{nameOf(side)}</Link>
            <span>{[side.email, side.phone].filter(Boolean).join(" · ") || "–"}</span>
          </span>
        ))}
      </div>
      <div className="duplicates-why">
        <span>
          {t("shared")}: <b>{pair.evidence.map((what) => t(`by_${what}`)).join(", ")}</b>
        </span>
        {pair.differentTaxId && <StatusTag tone="warning" icon={TriangleAlert} word={t("against")} />}
      </div>
      {mayWrite && (
        <div className="duplicates-acts">
          {dismissed ? (
            <Button aria-label={`${t("again")}: ${both}`} loading={again.isPending} onClick={() => again.mutate(two)}>
              {t("again")}
            </Button>
          ) : (
            <>
              <Link
                className="duplicates-compare"
                to={`/drivers/${pair.one.id}/merge?with=${pair.two.id}`}
                aria-label={`${t("compare")}: ${both}`}
              >
                {t("compare")}
              </Link>
              <Button
                aria-label={`${t("dismissDuplicate")}: ${both}`}
                loading={dismiss.isPending}
                onClick={() => void dismissNow()}
              >
                {t("dismissDuplicate")}
              </Button>
            </>
          )}
        </div>
      )}
      {failed && (
        <Notice tone="danger">
          {t(`faults:${failed.code}`, { replace: failed.params })} {t("unchanged")}
        </Notice>
      )}
    </li>
  );
}
