import { Form, Input } from "antd";
import { useTranslation } from "../../i18n/translation";
import { useSession } from "../../session/session";
import { FormDrawer } from "../../kit/form-drawer";
import { useAddTag } from "./queries";

export default function TagDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("tags");
  const { user } = useSession();
  const add = useAddTag();
  return (
    <FormDrawer<{ name?: string }>
      title={t("addTitle")}
      note={t("addNote")}
      submit={t("add")}
      undone={t("addFailed")}
      draft={`${user.id}.tags`}
      onSubmit={({ name = "" }) => add.mutateAsync(name.trim())}
      onClose={onClose}
    >
      <Form.Item name="name" label={t("name")} extra={t("nameHelp")}>
        <Input autoFocus autoComplete="off" />
      </Form.Item>
    </FormDrawer>
  );
}
