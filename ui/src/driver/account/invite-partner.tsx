import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useDoneToast } from "../../components/done-toast";
import { Field, Tick } from "../../components/field";
import { Notice } from "../../components/notice";
import { parseEmail } from "../../format/official/contact";
import { useLanguage } from "../../i18n";
import { type Wrong, wrongOf } from "./account-form";
import { useInvite } from "./queries";

const NOTHING = { name: "", email: "", agreed: false };

/** A mail to a partner that does not use Saldo yet. */
export function InvitePartner() {
  const { t } = useTranslation(["accounts", "faults", "fields"]);
  const language = useLanguage();
  const invite = useInvite();
  const done = useDoneToast();
  const [{ name, email, agreed }, setFilled] = useState(NOTHING);
  const [wrong, setWrong] = useState<Wrong>({});
  const change = (part: Partial<typeof NOTHING>) => setFilled((before) => ({ ...before, ...part }));
  const say = (field: string) => {
    const found = wrong[field];
    if (!found) return undefined;
    if (field === "consentToSendContactDetails") return t("consentNeeded");
    if (field === "partnerEmail" && found.code === "duplicate") return t("invitedToday");
    return t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const found: Wrong = {
      ...(!name.trim() && { partnerName: { code: "required" } }),
      ...(!parseEmail(email).ok && { partnerEmail: { code: email.trim() ? "wrong_format" : "required" } }),
      ...(!agreed && { consentToSendContactDetails: { code: "required" } }),
    };
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    invite.mutate(
      { partnerName: name, partnerEmail: email, consentToSendContactDetails: agreed, language },
      {
        onSuccess: () => {
          done(t("inviteDone", { email: email.trim() }));
          setFilled(NOTHING);
        },
        onError: (problem) => setWrong(wrongOf(problem)),
      },
    );
  };
  return (
    <section className="account-invite">
      <h2>{t("inviteTitle")}</h2>
      <p className="account-note">{t("inviteLead")}</p>
      <form className="account-dialog" noValidate onSubmit={submit}>
        <Field label={t("inviteName")} error={say("partnerName")} required>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              value={name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("inviteEmail")} error={say("partnerEmail")} required>
          {(control) => (
            <input
              {...control}
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={email}
              onChange={(event) => change({ email: event.target.value })}
            />
          )}
        </Field>
        <Tick
          checked={agreed}
          onChange={(value) => change({ agreed: value })}
          error={agreed ? undefined : say("consentToSendContactDetails")}
        >
          {t("inviteConsent")}
        </Tick>
        {invite.error && (
          <Notice tone="danger">
            {t(`faults:${invite.error.code}`, { replace: invite.error.params })} {t("inviteFailed")}
          </Notice>
        )}
        <Button size="large" type="submit" loading={invite.isPending}>
          {t("inviteSubmit")}
        </Button>
      </form>
    </section>
  );
}
