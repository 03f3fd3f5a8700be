import { useTranslation } from "../../i18n/translation";
import { useSession } from "../../session/session";
import { useDoneToast } from "../../components/done-toast";
import { FormDrawer } from "../../kit/form-drawer";
import { PaymentFields, PersonFields, valuesOf } from "./driver-fields";
import { type DriverData, useAddDriver } from "./queries";
import { useRefused } from "./refused";

export default function DriverDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("drivers");
  const { user } = useSession();
  const add = useAddDriver();
  const done = useDoneToast();
  const refused = useRefused();
  const submit = async (values: Partial<DriverData>) => {
    await add.mutateAsync(valuesOf(values));
    done(t("added"));
  };
  return (
    <FormDrawer<Partial<DriverData>>
      title={t("addTitle")}
      note={t("addNote")}
      submit={t("add")}
      undone={t("addFailed")}
      draft={`${user.id}.drivers`}
      refused={refused}
      onSubmit={submit}
      onClose={onClose}
    >
      <PersonFields focus />
      <PaymentFields />
    </FormDrawer>
  );
}
