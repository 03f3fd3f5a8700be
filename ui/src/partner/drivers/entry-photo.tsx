import { useQuery } from "@tanstack/react-query";
import { Camera } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { readPhoto } from "../../tracking/calls";
import styles from "./driver-tracking.module.css";

interface PhotoProps {
  kind: "trip" | "time";
  id: string;
  side: string;
  label: string;
}

/** A photo of an entry, loaded when it is asked for. */
export function EntryPhoto(props: PhotoProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" icon={<Camera aria-hidden size={14} strokeWidth={1.75} />} onClick={() => setOpen(true)}>
        {props.label}
      </Button>
      {open && (
        <Dialog title={props.label} onClose={() => setOpen(false)}>
          <Picture {...props} />
        </Dialog>
      )}
    </>
  );
}

function Picture({ kind, id, side, label }: PhotoProps) {
  const { t } = useTranslation(["tracking", "common"]);
  const found = useQuery({
    queryKey: ["tracking photo", kind, id, side],
    queryFn: async () => (await readPhoto(kind, id, side)) ?? null,
    gcTime: 0,
  });
  const src = useMemo(() => (found.data ? URL.createObjectURL(found.data) : undefined), [found.data]);
  useEffect(
    () => () => {
      if (src) URL.revokeObjectURL(src);
    },
    [src],
  );
  if (src) return <img className={styles.picture} src={src} alt={label} />;
  return <p role="status">{t(found.isLoading ? "common:loading" : "photoUnreadable")}</p>;
}
