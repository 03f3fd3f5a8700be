import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import type { NewDriver, Person } from "./queries";

interface CreateDialogProps {
  person: Person;
  name: string;
  onCreate: (driver: NewDriver) => Promise<void>;
  onClose: () => void;
}

const fields = [
  { name: "firstName", type: "text", max: 150 },
  { name: "lastName", type: "text", max: 150 },
  { name: "email", type: "email", max: 254 },
  { name: "phone", type: "tel", max: 50 },
] as const;

/** A new driver out of what files say, which can be put right first. */
export function CreateDialog({ person, name, onCreate, onClose }: CreateDialogProps) {
  const { t } = useTranslation(["imports", "common", "faults", "fields"]);
  const { firstName, lastName, email, phone } = person;
  const [driver, setDriver] = useState<NewDriver>({ firstName, lastName, email, phone });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const wrong = (field: string) => {
    const found = problem?.fields.find((one) => one.name === field);
    return found && t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await onCreate(driver);
      onClose();
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("createTitle", { name })} onClose={onClose}>
      <form className="imports-create" noValidate onSubmit={(event) => void submit(event)}>
        <p className="imports-quiet">{t("createNote")}</p>
        {problem && (
          <Notice tone="danger">
            {t("decideFailed", { name })} {t(`faults:${problem.code}`, { replace: problem.params })}
          </Notice>
        )}
        {fields.map((field) => (
          <Field key={field.name} label={t(field.name)} error={wrong(field.name)}>
            {(control) => (
              <input
                {...control}
                type={field.type}
                autoComplete="off"
                maxLength={field.max}
                value={driver[field.name]}
                onChange={({ target }) => setDriver((before) => ({ ...before, [field.name]: target.value }))}
              />
            )}
          </Field>
        ))}
        <div className="imports-answers">
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button
            kind="primary"
            type="submit"
            loading={busy}
            disabled={!driver.firstName.trim() && !driver.lastName.trim()}
          >
            {t("createNow")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
