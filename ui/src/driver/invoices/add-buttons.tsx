import { Camera, Upload } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { ON_PHONES } from "../../invoices/picked";
import styles from "./invoices.module.css";

/** The way to a photo and to a file. The camera opens at once: a tap less on every invoice. */
export function AddButtons({ photo, onFile }: { photo: string; onFile: (file: File) => void }) {
  const { t } = useTranslation("invoices");
  const chosen = (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (file) onFile(file);
    input.value = ""; // the same file may be chosen again
  };
  return (
    <div className={styles.add}>
      <label>
        <Camera aria-hidden size={20} strokeWidth={1.75} />
        {photo}
        <input
          type="file"
          accept="image/jpeg,image/png"
          capture="environment"
          onChange={({ target }) => chosen(target)}
        />
      </label>
      <label>
        <Upload aria-hidden size={20} strokeWidth={1.75} />
        {t("file")}
        <input type="file" accept={ON_PHONES} onChange={({ target }) => chosen(target)} />
      </label>
    </div>
  );
}
