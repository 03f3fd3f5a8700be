import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import styles from "./tracking.module.css";

/** Deletes an entry after a question. */
export function RemoveButton({ title, onRemove }: { title: string; onRemove: () => void }) {
  const { t } = useTranslation("tracking");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="text"
        danger
        block
        icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
        onClick={() => setOpen(true)}
      >
        {t("remove")}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <p>{t("removeBody")}</p>
          <div className={styles.actions}>
            <Button kind="primary" danger size="large" block onClick={onRemove}>
              {t("remove")}
            </Button>
            <Button size="large" block onClick={() => setOpen(false)}>
              {t("cancel")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
