import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { useDoneToast } from "../../components/done-toast";
import { Notice } from "../../components/notice";
import { type Schema, useRemoveSchema, useSchemaDrivers } from "./queries";

/** Asks before a schema is deleted; where it cannot be, says why, and who is settled by it. */
export function RemoveDialog({ schema, onClose }: { schema: Schema; onClose: () => void }) {
  const { t } = useTranslation(["schemas", "faults", "common"]);
  const remove = useRemoveSchema();
  const done = useDoneToast();
  const attached = schema.drivers > 0 || remove.error?.code === "schemas.attached";
  const possible = !schema.isDefault && !attached;
  const confirm = () =>
    void remove.mutateAsync(schema).then(
      () => {
        done(t("removed", { name: schema.name }));
        onClose();
      },
      () => undefined, // stands in the dialog
    );
  return (
    <Dialog title={t("removeTitle", { name: schema.name })} onClose={onClose}>
      <div className="schema-dialog">
        {remove.error && (
          <Notice tone="danger">
            {t(`faults:${remove.error.code}`, { replace: remove.error.params })} {t("removeFailed")}
          </Notice>
        )}
        {!remove.error && schema.isDefault && <p>{t("faults:schemas.is_default")}</p>}
        {!remove.error && !schema.isDefault && attached && (
          <p>{t("faults:schemas.attached", { replace: { drivers: schema.drivers } })}</p>
        )}
        {attached && <Attached schema={schema} />}
        {possible && <p>{t("removeBody")}</p>}
        <div className="schema-dialog-foot">
          <Button onClick={onClose}>{possible ? t("common:cancel") : t("common:close")}</Button>
          {possible && (
            <Button danger kind="primary" loading={remove.isPending} onClick={confirm}>
              {t("remove")}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Attached({ schema }: { schema: Schema }) {
  const { t } = useTranslation(["schemas", "faults", "common"]);
  const drivers = useSchemaDrivers(schema.schemaNumber, true);
  if (drivers.isError)
    return (
      <Notice tone="danger" action={<Button onClick={() => void drivers.refetch()}>{t("common:retry")}</Button>}>
        {t(`faults:${drivers.error.code}`, { replace: drivers.error.params })}
      </Notice>
    );
  if (!drivers.data) return <p role="status">{t("common:loading")}</p>;
  const hidden = drivers.data.total - drivers.data.drivers.length;
  return (
    <>
      <ul className="schema-drivers" aria-label={t("attachedDrivers")}>
        {drivers.data.drivers.map(({ id, firstName, lastName }) => (
          <li key={id}>
            {lastName} {firstName}
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="schema-note">{t("moreDrivers", { count: hidden })}</p>}
    </>
  );
}
