import { CircleCheck, CircleDashed } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../../components/button";
import type { Body } from "../../api/client";
import { useSession } from "../../session/session";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { Notice } from "../../components/notice";
import { PageHeader } from "../../components/page-header";
import { written } from "./account-form";
import { NoPartner } from "./no-partner";
import { useLeavePartner, usePartnerCard } from "./queries";
import { Waiting } from "./waiting";
import "./accounts.css";

type Card = Body<"/api/driver-accounts/partner-profile">;

export default function PartnerPage() {
  const { t } = useTranslation("accounts");
  const chosen = useSession().driver?.partnerChosen === true;
  const card = usePartnerCard(chosen);
  return (
    <>
      <PageHeader title={t("partnerTitle")} />
      <div className="account-page">
        {!chosen ? (
          <NoPartner />
        ) : card.data ? (
          <PartnerCard card={card.data} />
        ) : card.error ? (
          <ErrorState
            title={t("partnerFailed")}
            undone={t("nothingChanged")}
            problem={card.error}
            onRetry={() => void card.refetch()}
          />
        ) : (
          <Waiting />
        )}
      </div>
    </>
  );
}

// An address without its scheme is one of this site; one with another scheme could do anything.
const website = (www: string) => (/^https?:\/\//i.test(www) ? www : `https://${www}`);

function PartnerCard({ card }: { card: Card }) {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const Icon = card.isLinked ? CircleCheck : CircleDashed;
  const rows = [
    card.phone && ([t("phone"), <a href={`tel:${card.phone}`}>{written(card.phone)}</a>] as const),
    card.email && ([t("email"), <a href={`mailto:${card.email}`}>{card.email}</a>] as const),
    card.www &&
      ([
        t("www"),
        <a href={website(card.www)} rel="noreferrer" target="_blank">
          {card.www}
        </a>,
      ] as const),
    card.cities.length > 0 && ([t("partnerCities"), card.cities.join(", ")] as const),
  ].filter((row) => row !== "" && row !== false);
  return (
    <>
      <section className="partner-card">
        <h2>{card.name}</h2>
        <p className="partner-card-state">
          <Icon aria-hidden size={16} strokeWidth={2} />
          {card.isLinked ? t("partnerLinked") : t("partnerWaiting")}
        </p>
        {rows.length > 0 ? (
          <dl>
            {rows.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="account-note">{t("partnerContactless")}</p>
        )}
      </section>
      <div className="account-actions">
        <Button size="large" onClick={() => void navigate("/driver/partners-list")}>
          {t("partnerChange")}
        </Button>
        <Button size="large" danger onClick={() => setLeaving(true)}>
          {t("leave")}
        </Button>
      </div>
      {leaving && <LeaveDialog name={card.name} onClose={() => setLeaving(false)} />}
    </>
  );
}

function LeaveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation(["accounts", "faults"]);
  const navigate = useNavigate();
  const leave = useLeavePartner();
  const done = useDoneToast();
  // Not by a callback of the call: once the session is read again, this page and its callbacks are gone.
  const go = () =>
    leave.mutateAsync(undefined).then(
      () => {
        done(t("leaveDone", { name }));
        void navigate("/driver/partners-list");
      },
      () => undefined, // stands in the dialog
    );
  return (
    <Dialog title={t("leaveTitle", { name })} onClose={onClose}>
      <div className="account-dialog">
        <p>{t("leaveBody")}</p>
        {leave.error && (
          <Notice tone="danger">
            {t(`faults:${leave.error.code}`, { replace: leave.error.params })} {t("leaveFailed")}
          </Notice>
        )}
        <Button danger size="large" loading={leave.isPending} onClick={() => void go()}>
          {t("leaveSubmit")}
        </Button>
      </div>
    </Dialog>
  );
}
