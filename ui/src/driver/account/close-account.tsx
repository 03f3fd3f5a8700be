import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { useKnownSession } from "../../session/session";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Refusal } from "../../components/refusal";
import { useCloseAccount } from "./queries";

/** The end of an account: what goes, what the law keeps, and a word to type so that no thumb does it alone. */
export function CloseAccount() {
  const { t } = useTranslation("accounts");
  const [asking, setAsking] = useState(false);
  return (
    <section className="account-close">
      <h2>{t("closeTitle")}</h2>
      <p>{t("closeLead")}</p>
      <Button danger size="large" onClick={() => setAsking(true)}>
        {t("closeOpen")}
      </Button>
      {asking && <CloseDialog onClose={() => setAsking(false)} />}
    </section>
  );
}

function CloseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["accounts", "faults", "fields"]);
  const { leaveClosed } = useKnownSession();
  const close = useCloseAccount();
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const confirmed = typed.trim().toLocaleLowerCase() === t("closeWord").toLocaleLowerCase();
    setWrong(!confirmed);
    if (!confirmed) return;
    close.mutate(undefined, {
      onSuccess: leaveClosed,
    });
  };
  return (
    <Dialog title={t("closeQuestion")} onClose={onClose}>
      <form className="account-dialog" noValidate onSubmit={submit}>
        <p>{t("closeGone")}</p>
        <p>{t("closeKept")}</p>
        {close.error && <Refusal problem={close.error} undone={t("closeFailed")} />}
        <Field
          label={t("closeConfirm", { word: t("closeWord") })}
          error={wrong ? t(typed.trim() ? "fields:invalid" : "fields:required") : undefined}
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              autoCapitalize="none"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <Button danger size="large" type="submit" loading={close.isPending}>
          {t("closeSubmit")}
        </Button>
      </form>
    </Dialog>
  );
}
