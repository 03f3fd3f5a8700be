import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useCalled } from "./names";
import type { Identity } from "./queries";

interface CreateDialogProps {
  identity: Identity;
  onCreate: (firstName: string, lastName: string) => Promise<void>;
  onClose: () => void;
}

/** A new driver out of what a file says; the names can be put right first. */
export function CreateDialog({ identity, onCreate, onClose }: CreateDialogProps) {
  const { t } = useTranslation(["imports", "common", "faults", "fields"]);
  const name = useCalled()(identity);
  // The file may not say which part of a name is which: the first word is taken for the first name.
  const [first = "", ...rest] = identity.name.split(" ");
  const [firstName, setFirstName] = useState(first);
  const [lastName, setLastName] = useState(rest.join(" "));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const wrong = (field: string) => {
    const found = problem?.fields.find(({ name }) => name === field);
    return found && t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await onCreate(firstName.trim(), lastName.trim());
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("createTitle", { name: name })} onClose={onClose}>
      <form className="imports-create" noValidate onSubmit={(event) => void submit(event)}>
        <p className="imports-quiet">{t("createNote")}</p>
        {problem && (
          <Notice tone="danger">
            {t("decideFailed", { name: name })} {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        )}
        <Field label={t("firstName")} error={wrong("firstName")}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              maxLength={150}
              value={firstName}
              onChange={({ target }) => setFirstName(target.value)}
            />
          )}
        </Field>
        <Field label={t("lastName")} error={wrong("lastName")}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              maxLength={150}
              value={lastName}
              onChange={({ target }) => setLastName(target.value)}
            />
          )}
        </Field>
        <div className="imports-answers">
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" loading={busy} disabled={!firstName.trim() && !lastName.trim()}>
            {t("createNow")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
