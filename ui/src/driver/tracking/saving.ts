import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useNavigate } from "react-router";
import { useDoneToast } from "../../components/done-toast";
import type { Waiting } from "../../device/outbox";
import { useKeep } from "../../waiting/outbox";
import type { Photo } from "./photo-field";
import type { Fields } from "../../waiting/sender";

interface Entry {
  id: string;
  kind: "trip" | "time";
  waiting: Waiting<Fields> | undefined;
  theirs: { version: number } | undefined;
  back: string;
}

/** Keeps what was typed on this device, from where it is sent, and goes back to the list. */
export function useSaving({ id, kind, waiting, theirs, back }: Entry) {
  const { t } = useTranslation("tracking");
  const keep = useKeep();
  const done = useDoneToast();
  const navigate = useNavigate();
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);
  const version = waiting?.version ?? theirs?.version ?? 0;
  const put = async (entry: Fields, photos: Record<string, Photo>, deleted: boolean) => {
    setBusy(true);
    setFailed(false);
    const changed = Object.entries(photos).filter((one): one is [string, Blob | null] => one[1] !== undefined);
    try {
      await keep({ id, kind, version, entry, photos: Object.fromEntries(changed), deleted });
    } catch {
      setFailed(true);
      return;
    } finally {
      setBusy(false);
    }
    done(t(deleted ? "removed" : "saved"));
    void navigate(back, { replace: true });
  };
  return {
    save: (entry: Fields, photos: Record<string, Photo>) => put(entry, photos, false),
    remove: (entry: Fields) => put(entry, {}, true),
    /** Whether the device could not keep it: then nothing is saved anywhere. */
    failed,
    busy,
  };
}
