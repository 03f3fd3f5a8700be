import { Banknote, Globe, Landmark } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { useAmounts } from "../../session/amounts";
import { FirstUse } from "../../components/empty-state";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { PeriodStepper } from "../../kit/period-stepper";
import { usePeriods } from "../../kit/periods";
import { daySpan, today } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Accepted, ExcludedList } from "./excluded";
import { Back, useBankName, useProfileName } from "./names";
import { type Draft, type PayoutRequest, type Plan, type Settings, useMake, usePlan, useSettings } from "./queries";
import "./payouts.css";

/** What was chosen in a list of settlements, handed over with the address. */
const chosenOf = (state: unknown) =>
  state && typeof state === "object" && "settlements" in state && Array.isArray(state.settlements)
    ? (state.settlements as string[])
    : [];

/** What paying would do, before anything is made: each file with its sum, and whoever is left out with a way to mend it. */
export default function NewPage() {
  const { t } = useTranslation("payouts");
  const settings = useSettings();
  const chosen = chosenOf(useLocation().state);
  return (
    <>
      <Back />
      <PageHeader
        title={t("newTitle")}
        meta={chosen.length > 0 ? t("ofChosen", { count: chosen.length }) : t("ofAll")}
      />
      {settings.data ? (
        <Planning settings={settings.data} chosen={chosen} />
      ) : settings.isError ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("nothingMade")}
          problem={settings.error}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <Wait />
      )}
    </>
  );
}

function Wait() {
  const { t } = useTranslation("payouts");
  return (
    <div className="payouts-wait" role="status" aria-busy aria-label={t("computing")}>
      <span className="bar" />
      <span className="bar" />
    </div>
  );
}

function Planning({ settings, chosen }: { settings: Settings; chosen: string[] }) {
  const { t } = useTranslation(["payouts", "faults"]);
  const first = today(useConfig().timeZone);
  const periods = usePeriods();
  const [params, setParams] = useSearchParams();
  const period = params.get("period") ?? "";
  const [profile, setProfile] = useState(settings.profile);
  const [foreignProfile, setForeign] = useState(settings.foreignProfile);
  const [payOn, setPayOn] = useState(first);
  const [cash, setCash] = useState(false);
  const [accepted, setAccepted] = useState<Accepted[]>([]);
  const acceptedAs = (reason: Accepted["reason"]) =>
    accepted.filter((one) => one.reason === reason).map(({ settlementId }) => settlementId);
  const accept = acceptedAs("account_changed");
  const payRefused = acceptedAs("invoice_refused");
  const request: PayoutRequest = {
    profile,
    payOn,
    ...(chosen.length > 0 ? { settlements: chosen } : period && { period }),
    ...(foreignProfile && { foreignProfile }),
    ...(cash && { cash }),
    ...(accept.length > 0 && { accept }),
    ...(payRefused.length > 0 && { payRefused }),
  };
  const dated = /^\d{4}-\d{2}-\d{2}$/.test(payOn) && payOn >= first;
  const plan = usePlan(dated ? request : undefined);
  const nameOf = useProfileName();
  const names = (all: Settings["profiles"]) =>
    all.map(({ key }) => (
      <option key={key} value={key}>
        {nameOf(key, settings.profiles)}
      </option>
    ));
  return (
    <div className="payouts-new">
      <form className="payouts-options" onSubmit={(event) => event.preventDefault()} aria-label={t("how")}>
        {chosen.length === 0 && (
          <PeriodStepper
            all
            periods={periods.data}
            value={period}
            onChange={(code) => setParams(code ? { period: code } : {}, { replace: true, preventScrollReset: true })}
          />
        )}
        <label>
          {t("bankFile")}
          <select value={profile} onChange={({ target }) => setProfile(target.value)}>
            {names(settings.profiles)}
          </select>
        </label>
        <label>
          {t("foreignFile")}
          <select value={foreignProfile} onChange={({ target }) => setForeign(target.value)}>
            <option value="">{t("foreignNone")}</option>
            {names(settings.profiles.filter(({ foreign }) => foreign))}
          </select>
        </label>
        <label>
          {t("payOn")}
          <input type="date" min={first} required value={payOn} onChange={({ target }) => setPayOn(target.value)} />
        </label>
        <label className="payouts-check">
          <input type="checkbox" checked={cash} onChange={({ target }) => setCash(target.checked)} />
          <span>{t("withCash")}</span>
        </label>
        {settings.secondPerson && <p>{t("secondPersonNote")}</p>}
      </form>
      <div className="payouts-plan" data-reloading={plan.isPlaceholderData || undefined}>
        {plan.isError ? (
          <ErrorState
            title={t("planFailed")}
            undone={t("nothingMade")}
            problem={plan.error}
            onRetry={() => void plan.refetch()}
          />
        ) : plan.data ? (
          <Shown
            plan={plan.data}
            request={request}
            settings={settings}
            fresh={!plan.isPlaceholderData && !plan.isFetching}
            onAccept={(one) => setAccepted((before) => [...before, one])}
          />
        ) : (
          <Wait />
        )}
      </div>
    </div>
  );
}

interface ShownProps {
  plan: Plan;
  request: PayoutRequest;
  settings: Settings;
  /** Whether the plan is that of the request. */
  fresh: boolean;
  onAccept: (one: Accepted) => void;
}

function Shown({ plan, request, settings, fresh, onAccept }: ShownProps) {
  const { t } = useTranslation(["payouts", "faults"]);
  const { full } = useAmounts();
  const navigate = useNavigate();
  const language = useLanguage();
  const make = useMake();
  // Whoever presses twice makes it once.
  const making = useRef(false);
  const sum = plan.drafts.reduce((total, draft) => total + draft.sum, 0);
  const transfers = plan.drafts.reduce((total, draft) => total + draft.transfers, 0);
  const pressed = async () => {
    if (making.current) return;
    making.current = true;
    try {
      const { numbers } = await make.mutateAsync({ ...request, token: plan.token });
      void navigate(numbers.length === 1 ? `/payouts/${numbers[0]}` : "/payouts");
    } catch {
      // why is shown below
    } finally {
      making.current = false;
    }
  };
  return (
    <>
      {plan.warnings.map(({ code, drivers, count: all }) => (
        <Notice key={code} tone="warning">
          {t(`warning_${code}`, { day: daySpan(plan.payOn, plan.payOn, language) })}{" "}
          {drivers.map(({ firstName, lastName }) => `${lastName} ${firstName}`).join(", ")}
          {all > drivers.length && ` … (${all})`}
        </Notice>
      ))}
      {plan.payer.length > 0 && (
        <Notice tone="danger" action={<Link to="/profile">{t("toProfile")}</Link>}>
          {plan.payer.map((reason) => t(`payer_${reason}`)).join(" ")} {t("nothingMade")}
        </Notice>
      )}
      {plan.drafts.length > 0 ? (
        <ul className="payouts-drafts" aria-label={t("drafts")}>
          {plan.drafts.map((draft, index) => (
            <DraftCard key={`${draft.way} ${draft.profile} ${index}`} draft={draft} settings={settings} />
          ))}
        </ul>
      ) : (
        plan.payer.length === 0 && (
          <FirstUse
            icon={Landmark}
            title={t("nothingTitle")}
            body={t(plan.excluded.length > 0 ? "allOut" : "nothingBody")}
          />
        )
      )}
      <ExcludedList excluded={plan.excluded} onAccept={onAccept} />
      <footer className="payouts-foot">
        {make.error && <Notice tone="danger">{t(`faults:${make.error.code}`, { replace: make.error.params })}</Notice>}
        <p>{t("promise")}</p>
        <Button
          kind="primary"
          size="large"
          disabled={plan.drafts.length === 0 || !fresh}
          loading={make.isPending}
          onClick={() => void pressed()}
        >
          {plan.drafts.length > 1
            ? t("makeSeveral", { batches: plan.drafts.length, number: transfers, sum: full(sum) })
            : t("makeOne", { number: transfers, sum: full(sum) })}
        </Button>
      </footer>
    </>
  );
}

const icons = { domestic: Landmark, foreign: Globe, cash: Banknote };

/** One file that would be made: for whom, how many, how much, and which names it holds otherwise. */
function DraftCard({ draft, settings }: { draft: Draft; settings: Settings }) {
  const { t } = useTranslation("payouts");
  const { full } = useAmounts();
  const bank = useBankName();
  const Icon = icons[draft.way];
  const names = draft.changes.filter(({ field }) => field === "name");
  return (
    <li>
      <h2>
        <Icon aria-hidden size={16} strokeWidth={1.75} />
        {bank({ ...draft, bank: settings.profiles.find(({ key }) => key === draft.profile)?.bank ?? "" })}
      </h2>
      <b>{full(draft.sum)}</b>
      <p>{t("draftOf", { count: draft.transfers, settlements: draft.settlements })}</p>
      {names.length > 0 && (
        <details>
          <summary>{t("changed", { count: names.length })}</summary>
          <ul>
            {names.map(({ was, is }) => (
              <li key={`${was} ${is}`}>
                {was} <span aria-hidden>→</span> {is}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
