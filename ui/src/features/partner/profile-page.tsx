import { useTranslation } from "react-i18next";
import { ErrorState } from "../../components/error-state";
import { PageHeader } from "../../components/page-header";
import { ProfileForm } from "./profile-form";
import { useProfile } from "./queries";
import "./partner.css";

export default function ProfilePage() {
  const { t } = useTranslation(["partner", "common"]);
  const profile = useProfile();
  return (
    <>
      <PageHeader title={t("title")} meta={profile.data && t("code", { code: profile.data.code })} />
      {profile.data ? (
        <ProfileForm profile={profile.data} />
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
    </>
  );
}
