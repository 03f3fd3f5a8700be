import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { useFrequency, usePartnerFrequency, useSetFrequency, type Weeks } from "./queries";
import { Waiting } from "./waiting";

const frequencies = { 1: "weekly", 2: "fortnightly", 4: "monthly" } as const;

/** How often the driver is settled, where a partner is chosen. */
export function Frequency() {
  const { t } = useTranslation("accounts");
  const chosen = useSession().driver?.partnerChosen === true;
  const frequency = useFrequency(chosen);
  const partner = usePartnerFrequency(chosen);
  const failed = frequency.error ?? partner.error;
  if (!chosen) return null;
  return (
    <section className="account-frequency" id="frequency">
      <h2>{t("frequencyTitle")}</h2>
      {frequency.data && partner.data ? (
        <Choice now={frequency.data.frequency} standard={partner.data.frequency} may={frequency.data.mayChoose} />
      ) : failed ? (
        <ErrorState
          title={t("frequencyLoadFailed")}
          undone={t("nothingChanged")}
          problem={failed}
          onRetry={() => {
            void frequency.refetch();
            void partner.refetch();
          }}
        />
      ) : (
        <Waiting />
      )}
    </section>
  );
}

function Choice({ now, standard, may }: { now: Weeks; standard: Weeks; may: boolean }) {
  const { t } = useTranslation(["accounts", "faults"]);
  const set = useSetFrequency();
  const done = useDoneToast();
  const [weeks, setWeeks] = useState<Weeks>(now);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    set.mutate(weeks, { onSuccess: () => done(t("frequencyDone")) });
  };
  return (
    <form className="account-form" onSubmit={submit}>
      <fieldset disabled={!may}>
        <legend>{t("frequencyLead")}</legend>
        {([1, 2, 4] as const).map((value) => (
          <label key={value} className="frequency">
            <input type="radio" name="frequency" checked={weeks === value} onChange={() => setWeeks(value)} />
            <span>
              {t(frequencies[value])}
              {value === standard && <small>{t("frequencyStandard")}</small>}
            </span>
          </label>
        ))}
      </fieldset>
      {!may && <Notice tone="info">{t("frequencyFixed")}</Notice>}
      {set.error && (
        <Notice tone="danger">
          {t(`faults:${set.error.code}`, { replace: set.error.params })} {t("frequencyFailed")}
        </Notice>
      )}
      {may && (
        <Button
          kind="primary"
          type="submit"
          size="large"
          className="account-submit"
          loading={set.isPending}
          disabled={weeks === now}
        >
          {t("frequencySave")}
        </Button>
      )}
    </form>
  );
}
