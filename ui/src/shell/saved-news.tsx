import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "../i18n/translation";
import { onSaved } from "../browser/save";
import { useDoneToast } from "../components/done-toast";

/** Says of every download that it happened, and what the file is called: browsers may save it out of sight. */
export function SavedNews() {
  const { t } = useTranslation();
  const done = useDoneToast();
  const say = useEffectEvent((file: string) => done(t("saved", { file })));
  useEffect(() => onSaved((file) => say(file)), []);
  return null;
}
