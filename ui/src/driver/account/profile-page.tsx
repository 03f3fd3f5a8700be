import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import type { Language } from "../../i18n/languages";
import { AccountEditor } from "./account-editor";
import { filledFrom, sentFrom } from "./account-form";
import { CloseAccount } from "./close-account";
import { Frequency } from "./frequency";
import { PushSection } from "./push-section";
import { type Account, useAccount, useSaveAccount } from "./queries";
import { ToldSection } from "./told-section";
import { Waiting } from "./waiting";
import "./accounts.css";

export default function ProfilePage() {
  const { t } = useTranslation("accounts");
  const account = useAccount();
  // Grows when the form shall start again from what is saved.
  const [round, setRound] = useState(0);
  return (
    <>
      <PageHeader title={t("profileTitle")} />
      <div className="account-page">
        {account.data ? (
          <>
            <Editor key={round} account={account.data} onRestart={() => setRound(round + 1)} />
            <Frequency />
            <ToldSection />
            <PushSection />
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

function Editor({ account: saved, onRestart }: { account: Account; onRestart: () => void }) {
  const { t } = useTranslation("accounts");
  const { user } = useSession();
  // What is edited stays what it was, also when it is read again meanwhile.
  const [account] = useState(saved);
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
      onReload={onRestart}
      onSubmit={async (filled) => {
        await save.mutateAsync({ account: sentFrom(filled), version: account.version });
        done(t("saved"));
        onRestart();
      }}
    />
  );
}
