import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Problem } from "../../api/problem";
import { Notice } from "../../components/notice";
import { Refusal } from "../../components/refusal";

/** What the last attempt to save came to. */
export type Outcome = "saved" | "unchanged" | "wrong" | "restored" | Problem;

interface SaveBarProps {
  unsaved: boolean;
  outcome: Outcome | undefined;
  busy: boolean;
  /** Somebody else saved a newer profile. */
  overtaken: boolean;
  onAdopt: () => void;
  onDiscard: () => void;
  onSave: () => void;
  /** The person leaves to sign in again; what they typed is kept. */
  onLeave: () => void;
}

/** Stays at the bottom of the window: whether anything is unsaved, what became of it, and the way to save it. */
export function SaveBar({ unsaved, outcome, busy, overtaken, onAdopt, onDiscard, onSave, onLeave }: SaveBarProps) {
  const { t } = useTranslation(["partner", "common", "faults"]);
  return (
    <div className="profile-bar">
      {overtaken ? (
        <Notice tone="danger" action={<Button onClick={onAdopt}>{t("adopt")}</Button>}>
          {t("faults:partner.changed")} {t("overtaken")}
        </Notice>
      ) : (
        outcome instanceof Problem && <Refusal problem={outcome} undone={t("notSaved")} onLeave={onLeave} />
      )}
      <div className="profile-bar-row">
        <p role="status">
          {outcome === "wrong"
            ? t("correct")
            : outcome === "restored"
              ? t("common:draftRestored")
              : unsaved
                ? t("unsaved")
                : outcome === "saved"
                  ? t("saved")
                  : outcome === "unchanged" && t("unchanged")}
        </p>
        {unsaved && (
          <Button onClick={onDiscard} disabled={busy}>
            {t("discard")}
          </Button>
        )}
        <Button kind="primary" loading={busy} onClick={onSave}>
          {t("save")}
        </Button>
      </div>
    </div>
  );
}
