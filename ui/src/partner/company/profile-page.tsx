import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useSearchParams } from "react-router";
import { useSession } from "../../session/session";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { Connections } from "./connections";
import { People } from "./people";
import { PeopleQuestions, type Question } from "./people-questions";
import { ProfileForm } from "./profile-form";
import { useProfile } from "./queries";
import { SMS } from "./sms";
import { TwoPerson } from "./two-person";
import "./partner.css";

const ASKED: Readonly<Record<string, Question>> = {
  invite: { kind: "invite" },
  askOff: { kind: "askOff" },
  sms: { kind: "sms" },
  "connect-fuel.orlen": { kind: "connect", service: "fuel.orlen" },
  "connect-fuel.mailbox": { kind: "connect", service: "fuel.mailbox" },
  "connect-drive.webdav": { kind: "connect", service: "drive.webdav" },
  "connect-drive.s3": { kind: "connect", service: "drive.s3" },
  "connect-ksef": { kind: "connect", service: "ksef" },
  "connect-drive.google": { kind: "connect", service: "drive.google" },
};

export default function ProfilePage() {
  const { t } = useTranslation(["partner", "common"]);
  const { may } = useSession();
  const profile = useProfile();
  // Whoever signs in again in the middle of a question comes back to it.
  const [params, setParams] = useSearchParams();
  const [question, setQuestion] = useState(() => ASKED[params.get("ask") ?? ""]);
  const close = () => {
    setQuestion(undefined);
    setParams({}, { replace: true });
  };
  return (
    <>
      <PageHeader title={t("title")} meta={profile.data && t("code", { code: profile.data.code })} />
      {profile.data ? (
        <ProfileForm
          profile={profile.data}
          people={
            <>
              <People mayWrite={may("partner.write")} onAsk={setQuestion} />
              <TwoPerson mayWrite={may("payouts.write")} onAsk={setQuestion} />
              <SMS mayWrite={may("partner.write")} onAsk={setQuestion} />
              <Connections mayWrite={may("partner.write")} onAsk={setQuestion} />
            </>
          }
        />
      ) : profile.isError ? (
        <ErrorState
          title={t("loadFailed")}
          undone={t("loadFailedBody")}
          problem={profile.error}
          onRetry={() => void profile.refetch()}
        />
      ) : (
        <div className="profile-wait" role="status" aria-label={t("common:loading")}>
          {[1, 2, 3, 4].map((line) => (
            <span key={line} className="bar" />
          ))}
        </div>
      )}
      {question && <PeopleQuestions question={question} onClose={close} />}
    </>
  );
}
