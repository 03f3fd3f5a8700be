import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "../../i18n/translation";
import { subject } from "../../session/auth";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { PageHeader } from "../../components/page-header";
import { useLanguage } from "../../i18n";
import { AccountEditor } from "./account-editor";
import { filledFrom, sentFrom } from "./account-form";
import { useLinkAccount, useOpenAccount } from "./queries";
import "./accounts.css";

/** The first thing a driver does. Once it is saved, the guard lets them on by itself. */
export default function AddAccountPage() {
  const { t } = useTranslation("accounts");
  const { user, driver } = useSession();
  const summaryLanguage = useLanguage();
  const open = useOpenAccount();
  const done = useDoneToast();
  const link = useLinkAccount();
  const tie = useEffectEvent(() => {
    const id = subject();
    if (id) link.mutate(id);
  });
  useEffect(() => tie(), []);
  return (
    <>
      <PageHeader title={t("addTitle")} />
      <div className="account-page">
        <p className="account-lead">{t("addLead")}</p>
        <AccountEditor
          start={filledFrom({
            firstName: driver?.firstName ?? "",
            lastName: driver?.lastName ?? "",
            email: user.email,
            summaryLanguage,
          })}
          submit={t("addSubmit")}
          undone={t("addFailed")}
          draft={`${user.id}.account`}
          onSubmit={async (filled) => {
            await open.mutateAsync(sentFrom(filled));
            done(t("addDone"));
          }}
        />
      </div>
    </>
  );
}
