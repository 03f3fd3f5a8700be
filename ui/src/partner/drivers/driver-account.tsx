import { BadgeCheck, BadgeX, CircleDashed, Link2, Link2Off } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { useConfig } from "../../session/config";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { Section } from "../../components/section";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Driver, useBond, useUnlink, useVerify } from "./queries";

const ICON = { "aria-hidden": true, size: 16, strokeWidth: 1.75 } as const;

interface AccountProps {
  driver: Driver;
  mayWrite: boolean;
}

/** The driver's own account: whose it is, and whether the partner has checked who the driver is. */
export function DriverAccount({ driver, mayWrite }: AccountProps) {
  const { t } = useTranslation(["profiles", "common"]);
  const bond = useBond(driver.id);
  return (
    <Section title={t("accountTitle")} lead={t("accountLead")}>
      {bond.isError && (
        <Notice tone="danger" action={<Button onClick={() => void bond.refetch()}>{t("common:retry")}</Button>}>
          {t("loadOneFailed")}
        </Notice>
      )}
      {bond.data && <Linked driver={driver} mayWrite={mayWrite} bond={bond.data} />}
      <Verified driver={driver} mayWrite={mayWrite} />
    </Section>
  );
}

type Bond = NonNullable<ReturnType<typeof useBond>["data"]>;

function Linked({ driver, mayWrite, bond }: AccountProps & { bond: Bond }) {
  const { t } = useTranslation(["profiles", "faults"]);
  const language = useLanguage();
  const { timeZone } = useConfig();
  const on = (instant: string) => day(instant, language, timeZone);
  const account = bond.linked;
  if (account)
    return (
      <div className="driver-bond">
        <StatusTag tone="success" icon={Link2} word={t("linked")} />
        <p>
          <b>
            {account.lastName} {account.firstName}
          </b>
          <span>{[account.email, account.phone].filter(Boolean).join(" · ")}</span>
          {account.linkedAt && <span>{t("since", { day: on(account.linkedAt) })}</span>}
        </p>
        {mayWrite && !driver.blocked && <Unlink driver={driver} />}
        {driver.blocked && <p className="driver-none">{t("unlinkBlocked")}</p>}
      </div>
    );
  return (
    <div className="driver-bond">
      <StatusTag tone="outline" icon={CircleDashed} word={t("notLinked")} />
      <p className="driver-none">
        {bond.activationSentAt
          ? `${t("sentOn")} ${on(bond.activationSentAt)}. ${bond.registered ? t("waitsForChoice") : t("waitsForRegistration")} ${t("faults:drivers.activation_sent")}`
          : t("waitsForAnybody")}
      </p>
      {bond.candidates.map((person) => (
        <p key={person.id}>
          <b>
            {person.lastName} {person.firstName}
          </b>
          <span>{[person.email, person.phone].filter(Boolean).join(" · ")}</span>
          <span>{person.evidence.map((why) => t(`same_${why}`)).join(", ")}</span>
          {mayWrite && !driver.blocked && (
            <Link to={`/drivers-profiles?tab=new&link=${person.id}&driver=${driver.id}`}>
              {t("linkNamed", { name: `${person.lastName} ${person.firstName}` })}
            </Link>
          )}
        </p>
      ))}
    </div>
  );
}

function Unlink({ driver }: { driver: Driver }) {
  const { t } = useTranslation(["profiles", "common", "faults"]);
  const unlink = useUnlink(driver.id);
  const done = useDoneToast();
  const [asking, setAsking] = useState(false);
  const refused = unlink.data !== undefined && unlink.data !== "unlinked" ? unlink.data : undefined;
  const press = () =>
    void unlink.mutateAsync(undefined).then(
      (outcome) => {
        if (outcome !== "unlinked") return;
        setAsking(false);
        done(t("outcome_unlinked"));
      },
      () => undefined, // stands in the dialog
    );
  return (
    <>
      <Button icon={<Link2Off {...ICON} />} onClick={() => setAsking(true)}>
        {t("unlink")}
      </Button>
      {asking && (
        <Dialog
          title={t("unlinkTitle", { name: `${driver.firstName} ${driver.lastName}` })}
          onClose={() => setAsking(false)}
        >
          <div className="driver-question">
            <p>{t("unlinkBody")}</p>
            {(unlink.error ?? refused) && (
              <Notice tone="danger">
                {unlink.error
                  ? t(`faults:${unlink.error.code}`, { replace: unlink.error.params })
                  : refused && t(`outcome_${refused}`)}{" "}
                {t("unchanged")}
              </Notice>
            )}
            <div>
              <Button onClick={() => setAsking(false)}>{t("common:cancel")}</Button>
              <Button kind="primary" loading={unlink.isPending} onClick={press}>
                {t("unlink")}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Verified({ driver, mayWrite }: AccountProps) {
  const { t } = useTranslation(["profiles", "common", "faults"]);
  const verify = useVerify(driver.id);
  const done = useDoneToast();
  const [asking, setAsking] = useState(false);
  const press = () =>
    void verify.mutateAsync(!driver.verified).then(
      () => {
        setAsking(false);
        done(driver.verified ? t("eventUnverify") : t("eventVerify"));
      },
      () => undefined, // stands in the dialog
    );
  const what = driver.verified ? t("unverify") : t("verify");
  return (
    <div className="driver-bond">
      {driver.verified ? (
        <StatusTag tone="success" icon={BadgeCheck} word={t("verified")} />
      ) : (
        <StatusTag tone="outline" icon={BadgeX} word={t("notVerified")} />
      )}
      <p className="driver-none">{t("verifiedMeans")}</p>
      {mayWrite && (
        <Button
          icon={driver.verified ? <BadgeX {...ICON} /> : <BadgeCheck {...ICON} />}
          onClick={() => setAsking(true)}
        >
          {what}
        </Button>
      )}
      {asking && (
        <Dialog
          title={t(driver.verified ? "unverifyTitle" : "verifyTitle", {
            name: `${driver.firstName} ${driver.lastName}`,
          })}
          onClose={() => setAsking(false)}
        >
          <div className="driver-question">
            <p>{driver.verified ? t("unverifyBody") : t("verifyBody")}</p>
            {verify.error && (
              <Notice tone="danger">
                {t(`faults:${verify.error.code}`, { replace: verify.error.params })} {t("unchanged")}
              </Notice>
            )}
            <div>
              <Button onClick={() => setAsking(false)}>{t("common:cancel")}</Button>
              <Button kind="primary" loading={verify.isPending} onClick={press}>
                {what}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
