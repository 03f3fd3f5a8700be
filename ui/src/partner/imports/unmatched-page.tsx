import { UserRoundCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate, useSearchParams } from "react-router";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useSession } from "../../session/session";
import { DecidedRow } from "./decided-row";
import { ImportsHead } from "./imports-head";
import { PersonRow } from "./person-row";
import { type Person, usePeople, useUnmatchedDrivers, useWaiting } from "./queries";
import { ManyBar, ManyResult, useMany } from "./unmatched-many";

const states = ["waiting", "assigned", "ignored"] as const;

/** People whom files name and nobody knew: to be decided about once, and what was decided. */
export default function UnmatchedPage() {
  const { t } = useTranslation("imports");
  const language = useLanguage();
  const [params, setParams] = useSearchParams();
  const state = states.find((one) => one === params.get("show")) ?? "waiting";
  const decided = useUnmatchedDrivers(state === "waiting" ? "assigned" : state).data?.pages.at(-1);
  const waiting = useWaiting().data;
  const numbers = { waiting, assigned: decided?.assigned, ignored: decided?.ignored };
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
              {numbers[one] !== undefined && <span>{count(numbers[one], language)}</span>}
            </button>
          ))}
        </div>
      </div>
      {state === "waiting" ? <Waiting /> : <Decided state={state} />}
    </>
  );
}

/** Who waits: one row each, and one press for all who are clear. */
function Waiting() {
  const { t } = useTranslation(["imports", "home"]);
  const navigate = useNavigate();
  const { may } = useSession();
  const mayWrite = may("imports.write");
  const maySettle = may("settlements.write");
  const found = usePeople();
  const people = found.data?.pages.flatMap((page) => page.people);
  const many = useMany();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = people?.filter((person) => person.creatable && ids.has(keyOf(person))) ?? [];
  const choose = (person: Person, wanted: boolean) =>
    setIds((before) => new Set([...before, keyOf(person)].filter((id) => wanted || id !== keyOf(person))));
  const clear = () => setIds(new Set());
  // Whoever is on a page that was not asked for yet is meant too.
  const all = async (which: (person: Person) => boolean | undefined) => {
    let pages = found.data?.pages ?? [];
    let more = found.hasNextPage;
    while (more) {
      const next = await found.fetchNextPage();
      if (next.isError) break;
      pages = next.data?.pages ?? pages;
      more = next.hasNextPage;
    }
    return pages.flatMap((page) => page.people).filter(which);
  };
  const last = found.data?.pages.at(-1);
  const busy = many.busy || found.isFetchingNextPage;
  return (
    <>
      {mayWrite && last && last.new + last.certain > 0 && (
        <div className="imports-all">
          {last.certain > 0 && (
            <Button
              kind={last.new > 0 ? "default" : "primary"}
              loading={busy}
              onClick={() => void all(({ match }) => match?.certain).then((certain) => many.run("assign", certain))}
            >
              {t("acceptAll", { count: last.certain })}
            </Button>
          )}
          {last.new > 0 && chosen.length === 0 && (
            <Button
              kind="primary"
              loading={busy}
              onClick={() => void all(({ creatable }) => creatable).then((fresh) => many.run("create", fresh))}
            >
              {t("manyCreate", { count: last.new })}
            </Button>
          )}
        </div>
      )}
      <ManyResult many={many} />
      <Listed
        found={found}
        none={t("unmatchedNoneBody")}
        next={maySettle && <Button onClick={() => void navigate("/settlements")}>{t("home:go_settle")}</Button>}
      >
        {people?.map((person) => (
          <PersonRow
            key={keyOf(person)}
            person={person}
            choice={
              mayWrite && person.creatable
                ? { chosen: ids.has(keyOf(person)), onChoose: (wanted) => choose(person, wanted) }
                : undefined
            }
          />
        ))}
      </Listed>
      {mayWrite && chosen.length > 0 && <ManyBar chosen={chosen} many={many} onClear={clear} onDone={clear} />}
    </>
  );
}

const keyOf = ({ identities }: Person) => identities[0]?.id ?? "";

/** What was decided, with the way back. */
function Decided({ state }: { state: "assigned" | "ignored" }) {
  const { t } = useTranslation("imports");
  const found = useUnmatchedDrivers(state);
  return (
    <Listed found={found} none={t("unmatchedNoneDecided")}>
      {found.data?.pages.flatMap((page) =>
        page.identities.map((identity) => <DecidedRow key={identity.id} identity={identity} />),
      )}
    </Listed>
  );
}

interface ListedProps {
  found: {
    error: Problem | null;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isPlaceholderData: boolean;
    refetch: () => Promise<unknown>;
    fetchNextPage: () => Promise<unknown>;
  };
  /** What is said if there is nobody. */
  none: string;
  /** What to do then. */
  next?: ReactNode;
  children: ReactNode[] | undefined;
}

function Listed({ found, none, next, children }: ListedProps) {
  const { t } = useTranslation(["imports", "common"]);
  if (found.error && !children)
    return (
      <ErrorState
        title={t("unmatchedFailed")}
        undone={t("unchanged")}
        problem={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  if (!children)
    return (
      <div className="imports-cards" role="status" aria-label={t("common:loading")}>
        {[1, 2, 3].map((line) => (
          <span key={line} className="bar" style={{ width: 320 }} />
        ))}
      </div>
    );
  if (children.length === 0)
    return <FirstUse icon={UserRoundCheck} title={t("unmatchedNoneTitle")} body={none} action={next} />;
  return (
    <>
      <ul className="imports-unmatched" data-reloading={found.isPlaceholderData || undefined}>
        {children}
      </ul>
      {found.hasNextPage && (
        <div className="imports-more">
          <Button loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t("more")}
          </Button>
        </div>
      )}
    </>
  );
}
