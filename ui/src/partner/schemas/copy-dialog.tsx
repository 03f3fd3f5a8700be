import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { type Schema, useCopySchema } from "./queries";

/** What the copy is called; everything else it takes from the schema. */
export function CopyDialog(props: { schema: Schema; onClose: () => void; onCopied: (copy: Schema) => void }) {
  const { t } = useTranslation(["schemas", "faults", "fields", "common"]);
  const copy = useCopySchema();
  const [name, setName] = useState(() => t("copyName", { name: props.schema.name }).slice(0, 100));
  const wrong = copy.error?.fields.find((field) => field.name === "name");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void copy.mutateAsync({ schema: props.schema, name: name.trim() }).then(props.onCopied, () => undefined);
  };
  return (
    <Dialog title={t("copyTitle", { name: props.schema.name })} onClose={props.onClose}>
      <form className="schema-dialog" noValidate onSubmit={submit}>
        {copy.error && (
          <Notice tone="danger">
            {t(`faults:${copy.error.code}`, { replace: copy.error.params })} {t("copyFailed")}
          </Notice>
        )}
        <Field
          label={t("name")}
          hint={t("nameHelp")}
          error={wrong && t(`fields:${wrong.code}`, { replace: wrong.params ?? {} })}
        >
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div className="schema-dialog-foot">
          <Button onClick={props.onClose}>{t("common:cancel")}</Button>
          <Button kind="primary" type="submit" loading={copy.isPending}>
            {t("copy")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
