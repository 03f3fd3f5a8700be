import { Button } from "antd";
import { ArrowLeft, TriangleAlert, UsersRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useSession } from "../../app/session";
import { useDoneToast } from "../../components/done-toast";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { StatusTag } from "../../components/status-tag";
import { useUndoToast } from "../../components/undo-toast";
import { PAIRS, type Pair, useNamesakes, useProposeAgain, useTellApart } from "./merge-queries";
import "./drivers.css";
import "./merge.css";

/** Pairs who may be one person, with what speaks for it. A person decides about each. */
export default function NamesakesPage() {
  const { t } = useTranslation(["merge", "common", "drivers"]);
  const [params, setParams] = useSearchParams();
  const apart = params.get("show") === "apart";
  const page = Math.max(1, Math.trunc(Number(params.get("page")) || 1));
  const namesakes = useNamesakes(apart, page);
  const found = namesakes.data;
  const go = (to: { show?: string; page?: string }) => setParams(new URLSearchParams(to), { preventScrollReset: true });
  const turn = (to: number) => go({ ...(apart && { show: "apart" }), ...(to > 1 && { page: String(to) }) });
  return (
    <>
      <nav className="driver-back">
        <Link to="/drivers">
          <ArrowLeft aria-hidden size={16} strokeWidth={1.75} />
          {t("drivers:back")}
        </Link>
      </nav>
      <PageHeader title={t("namesakes")} meta={found && t("pairs", { count: found.total })} />
      <div className="drivers-filter">
        <div className="drivers-views" role="group" aria-label={t("show")}>
          <button type="button" className="drivers-view" aria-pressed={!apart} onClick={() => go({})}>
            {t("proposed")}
          </button>
          <button type="button" className="drivers-view" aria-pressed={apart} onClick={() => go({ show: "apart" })}>
            {t("apart")}
          </button>
        </div>
      </div>
      {namesakes.isError ? (
        <ErrorState
          title={t("namesakesFailed")}
          undone={t("unchanged")}
          problem={namesakes.error}
          onRetry={() => void namesakes.refetch()}
        />
      ) : !found ? (
        <div className="driver-wait" role="status" aria-label={t("common:loading")}>
          {[1, 2, 3].map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
      ) : found.total === 0 ? (
        <FirstUse icon={UsersRound} title={t("noneTitle")} body={apart ? t("noneApart") : t("noneBody")} />
      ) : (
        <div className="namesakes">
          <p>{t("namesakesLead")}</p>
          <ul>
            {found.pairs.map((pair) => (
              <One key={`${pair.one.id} ${pair.two.id}`} pair={pair} apart={apart} />
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

function One({ pair, apart }: { pair: Pair; apart: boolean }) {
  const { t } = useTranslation(["merge", "faults"]);
  const mayWrite = useSession().may("drivers.write");
  const dismiss = useTellApart();
  const again = useProposeAgain();
  const offerUndo = useUndoToast();
  const done = useDoneToast();
  const two = { one: pair.one.id, two: pair.two.id };
  const failed = dismiss.error ?? again.error;
  const nameOf = (side: Pair["one"]) => `${side.lastName} ${side.firstName}`;
  const both = `${nameOf(pair.one)}, ${nameOf(pair.two)}`;
  const apartNow = async () => {
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
      <div className="namesakes-pair">
        {[pair.one, pair.two].map((side) => (
          <span key={side.id} className="driver-who">
            <Link to={`/drivers/${side.id}`}>{nameOf(side)}</Link>
            <span>{[side.email, side.phone].filter(Boolean).join(" · ") || "–"}</span>
          </span>
        ))}
      </div>
      <div className="namesakes-why">
        <span>
          {t("shared")}: <b>{pair.evidence.map((what) => t(`by_${what}`)).join(", ")}</b>
        </span>
        {pair.differentTaxId && <StatusTag tone="warning" icon={TriangleAlert} word={t("against")} />}
      </div>
      {mayWrite && (
        <div className="namesakes-acts">
          {apart ? (
            <Button aria-label={`${t("again")}: ${both}`} loading={again.isPending} onClick={() => again.mutate(two)}>
              {t("again")}
            </Button>
          ) : (
            <>
              <Link
                className="namesakes-compare"
                to={`/drivers/${pair.one.id}/merge?with=${pair.two.id}`}
                aria-label={`${t("compare")}: ${both}`}
              >
                {t("compare")}
              </Link>
              <Button
                aria-label={`${t("tellApart")}: ${both}`}
                loading={dismiss.isPending}
                onClick={() => void apartNow()}
              >
                {t("tellApart")}
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
