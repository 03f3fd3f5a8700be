import { useTranslation } from "react-i18next";
import { useSession } from "../../app/session";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import type { Language } from "../../i18n/languages";
import { AccountEditor } from "./account-editor";
import { filledFrom, sentFrom } from "./account-form";
import { CloseAccount } from "./close-account";
import { type Account, useAccount, useSaveAccount } from "./queries";
import { Waiting } from "./waiting";
import "./accounts.css";

export default function ProfilePage() {
  const { t } = useTranslation("accounts");
  const account = useAccount();
  return (
    <>
      <PageHeader title={t("profileTitle")} />
      <div className="account-page">
        {account.data ? (
          <>
            {/* A version of its own: after a save, or a reload of a stale one, the form starts from what is there. */}
            <Editor key={account.data.version} account={account.data} />
            <CloseAccount />
          </>
        ) : account.error ? (
          <ErrorState
            title={t("profileLoadFailed")}
            undone={t("nothingChanged")}
            problem={account.error}
            onRetry={() => void account.refetch()}
          />
        ) : (
          <Waiting />
        )}
      </div>
    </>
  );
}

function Editor({ account }: { account: Account }) {
  const { t } = useTranslation("accounts");
  const { user } = useSession();
  const save = useSaveAccount();
  const done = useDoneToast();
  return (
    <AccountEditor
      start={filledFrom({ ...account, summaryLanguage: account.summaryLanguage as Language })}
      submit={t("save")}
      undone={t("saveFailed")}
      draft={`${user.id}.profile`}
      pesel={account.pesel}
      edits
      onSubmit={async (filled) => {
        await save.mutateAsync({ account: sentFrom(filled), version: account.version });
        done(t("saved"));
      }}
    />
  );
}
