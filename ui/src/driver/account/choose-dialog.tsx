import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { Button } from "../../components/button";
import { useSession } from "../../session/session";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Tick } from "../../components/field";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { written } from "./account-form";
import { type PartnerChoice, useAccount, useInvite } from "./queries";

/** What the partner will see, shown as it is, and the driver's word that it may. */
export function ChooseDialog({ partner, onClose }: { partner: PartnerChoice; onClose: () => void }) {
  const { t } = useTranslation(["accounts", "faults"]);
  const { partner: own } = useSession();
  const { data: account } = useAccount();
  const language = useLanguage();
  const navigate = useNavigate();
  const choose = useInvite();
  const done = useDoneToast();
  const [agreed, setAgreed] = useState(false);
  const [missing, setMissing] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setMissing(!agreed);
    if (!agreed) return;
    // Not by a callback of the call: once the session is read again, this dialog and its callbacks are gone.
    void choose.mutateAsync({ partnerUuid: partner.uuid, consentToSendContactDetails: agreed, language }).then(
      () => {
        done(t("chooseDone", { name: partner.name }));
        void navigate("/driver/partner-profile");
      },
      () => undefined, // stands in the dialog
    );
  };
  return (
    <Dialog title={t("chooseTitle", { name: partner.name })} onClose={onClose}>
      <form className="account-dialog" noValidate onSubmit={submit}>
        {own && <Notice tone="warning">{t("chooseMove", { name: own.name })}</Notice>}
        <p>{t("chooseSees")}</p>
        {/* As high before it is known: what is pressed below must not move. */}
        <ul className="account-shared" aria-busy={!account}>
          {[
            account && `${account.firstName} ${account.lastName}`,
            account?.email,
            account && written(account.phone),
          ].map((one, line) => (
            <li key={line}>{one ?? <span className="bar" style={{ width: 180 }} />}</li>
          ))}
        </ul>
        <Tick checked={agreed} onChange={setAgreed} error={missing && !agreed ? t("consentNeeded") : undefined}>
          {partner.consent}
        </Tick>
        {choose.error && (
          <Notice tone="danger">
            {t(`faults:${choose.error.code}`, { replace: choose.error.params })} {t("chooseFailed")}
          </Notice>
        )}
        <Button kind="primary" size="large" type="submit" loading={choose.isPending}>
          {t("chooseSubmit")}
        </Button>
      </form>
    </Dialog>
  );
}
