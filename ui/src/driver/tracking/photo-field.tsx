import { useQuery } from "@tanstack/react-query";
import { Camera, LoaderCircle, Trash2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { photoOf } from "../../device/outbox";
import { letGo, pick } from "../../invoices/picked";
import { useSession } from "../../session/session";
import { readPhoto } from "../../tracking/calls";
import styles from "./tracking.module.css";

/** What a person did with a photo: a new one, taken away, or nothing. */
export type Photo = Blob | null | undefined;

interface PhotoProps {
  label: string;
  /** Of which entry and which side of it. */
  of: { kind: "trip" | "time"; id: string; side: string };
  /** Where the photo that is there already is kept. */
  there: "server" | "device" | undefined;
  photo: Photo;
  onPhoto: (photo: Photo) => void;
  readOnly?: boolean;
}

/** A picture of a blob for as long as it is shown. */
function usePicture(blob: Blob | null | undefined): string | undefined {
  const src = useMemo(() => (blob ? URL.createObjectURL(blob) : undefined), [blob]);
  useEffect(
    () => () => {
      if (src) URL.revokeObjectURL(src);
    },
    [src],
  );
  return src;
}

/** A photo of an entry: taken with the camera or chosen, made small on the device, seen and taken away again. */
export function PhotoField({ label, of, there, photo, onPhoto, readOnly }: PhotoProps) {
  const { t } = useTranslation("tracking");
  const { user, offline } = useSession();
  const [state, setState] = useState<"preparing" | "unreadable">();
  const kept = useQuery({
    queryKey: ["tracking photo", of.kind, of.id, of.side, there],
    queryFn: async () =>
      (there === "device" ? await photoOf(user.id, of.id, of.side) : await readPhoto(of.kind, of.id, of.side)) ?? null,
    enabled: there === "device" || (there === "server" && !offline),
    networkMode: "always",
    gcTime: 0,
  });
  const src = usePicture(photo === undefined ? kept.data : photo);
  const shown = photo === undefined ? there !== undefined : photo !== null;
  const choose = async (file: File) => {
    setState("preparing");
    const picked = await pick(file);
    if (typeof picked === "string" || !picked.picture) {
      setState("unreadable");
      return;
    }
    letGo(picked);
    setState(undefined);
    onPhoto(picked.file);
  };
  return (
    <div className={styles.photo}>
      <b>{label}</b>
      {src && <img src={src} alt={label} />}
      {shown && !src && (offline || kept.isError) && <p>{t("photoOffline")}</p>}
      {state === "preparing" && (
        <p role="status">
          <LoaderCircle aria-hidden size={16} strokeWidth={1.75} className="spin" /> {t("photoPreparing")}
        </p>
      )}
      {state === "unreadable" && <p role="alert">{t("photoUnreadable")}</p>}
      {!readOnly && (
        <div className={styles.photoButtons}>
          <label className={styles.tile}>
            <Camera aria-hidden size={20} strokeWidth={1.75} />
            {t(shown ? "replacePhoto" : "takePhoto")}
            <input
              type="file"
              accept="image/jpeg,image/png,image/webp"
              aria-label={`${t(shown ? "replacePhoto" : "takePhoto")}: ${label}`}
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) void choose(file);
                target.value = "";
              }}
            />
          </label>
          {shown && (
            <Button
              kind="text"
              icon={<Trash2 aria-hidden size={18} strokeWidth={1.75} />}
              onClick={() => onPhoto(there ? null : undefined)}
            >
              {t("removePhoto")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
