import { UserRoundCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { useSession } from "../../session/session";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { IdentityRow } from "./identity-row";
import { ImportsHead } from "./imports-head";
import { type Chosen, ManyBar, ManyResult, useMany } from "./unmatched-many";
import { type Identity, type IdentityState, useUnmatchedDrivers } from "./queries";

const states = ["waiting", "assigned", "ignored"] as const satisfies IdentityState[];

/** People whom files name and nobody knew: to be decided about once, and what was decided. */
export default function UnmatchedPage() {
  const { t } = useTranslation(["imports", "common"]);
  const language = useLanguage();
  const [params, setParams] = useSearchParams();
  const state = states.find((one) => one === params.get("show")) ?? "waiting";
  const unmatched = useUnmatchedDrivers(state);
  const identities = unmatched.data?.pages.flatMap((page) => page.identities);
  const counts = unmatched.data?.pages.at(-1);
  const mayWrite = useSession().may("imports.write");
  const many = useMany();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const offered = mayWrite && state === "waiting";
  const choose = (ids: Iterable<[string, string]>, without: ReadonlySet<string> = new Set()) =>
    setChosen((before) => new Map([...before, ...ids].filter(([id]) => !without.has(id))));
  const chooseAll = async () => {
    let all = unmatched.data;
    let more = unmatched.hasNextPage;
    while (more) {
      const next = await unmatched.fetchNextPage();
      if (next.isError) break;
      all = next.data;
      more = next.hasNextPage;
    }
    choose(named(all?.pages.flatMap((page) => page.identities) ?? []));
  };
  return (
    <>
      <ImportsHead />
      <div className="imports-lead">
        <h2>{t("unmatchedTitle")}</h2>
        <p>{t("unmatchedLead")}</p>
        <div className="imports-views" role="group" aria-label={t("show")}>
          {states.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === state}
              onClick={() => setParams(one === "waiting" ? {} : { show: one }, { preventScrollReset: true })}
            >
              {t(one)}
              {counts && <span>{count(counts[one], language)}</span>}
            </button>
          ))}
        </div>
        {offered && identities?.some(({ name }) => name) && (
          <Button kind="link" loading={unmatched.isFetchingNextPage} onClick={() => void chooseAll()}>
            {t("manyAll")}
          </Button>
        )}
      </div>
      <ManyResult many={many} />
      {unmatched.isError && !identities ? (
        <ErrorState
          title={t("unmatchedFailed")}
          undone={t("unchanged")}
          problem={unmatched.error}
          onRetry={() => void unmatched.refetch()}
        />
      ) : !identities ? (
        <div className="imports-cards" role="status" aria-label={t("common:loading")}>
          {[1, 2, 3].map((line) => (
            <span key={line} className="bar" style={{ width: 320 }} />
          ))}
        </div>
      ) : identities.length === 0 ? (
        <FirstUse
          icon={UserRoundCheck}
          title={t("unmatchedNoneTitle")}
          body={state === "waiting" ? t("unmatchedNoneBody") : t("unmatchedNoneDecided")}
        />
      ) : (
        <ul className="imports-unmatched" data-reloading={unmatched.isPlaceholderData || undefined}>
          {identities.map((identity) => (
            <IdentityRow
              key={identity.id}
              identity={identity}
              {...(offered &&
                identity.name && {
                  choice: {
                    chosen: chosen.has(identity.id),
                    onChoose: (wanted) => (wanted ? choose(named([identity])) : choose([], new Set([identity.id]))),
                  },
                })}
            />
          ))}
        </ul>
      )}
      {unmatched.hasNextPage && (
        <div className="imports-more">
          <Button loading={unmatched.isFetchingNextPage} onClick={() => void unmatched.fetchNextPage()}>
            {t("more")}
          </Button>
        </div>
      )}
      {offered && chosen.size > 0 && (
        <ManyBar
          chosen={chosen}
          many={many}
          onClear={() => setChosen(new Map())}
          onDone={(ids) => choose([], new Set(ids))}
        />
      )}
    </>
  );
}

/** Those who can be written down as they are. */
const named = (identities: readonly Identity[]): [string, string][] =>
  identities.flatMap(({ id, name }) => (name ? [[id, name]] : []));
