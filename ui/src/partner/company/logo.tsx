import { ImageUp, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import type { Problem } from "../../api/problem";
import { Notice } from "../../components/notice";
import { ACCEPTED, fitting } from "./picture";
import { useRemoveLogo, useSetLogo } from "./queries";

/** The partner's picture: shown, replaced, taken away, each at once. */
export function Logo({ address, mayWrite }: { address: string; mayWrite: boolean }) {
  const { t } = useTranslation(["partner", "faults"]);
  const set = useSetLogo();
  const remove = useRemoveLogo();
  const file = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState("");
  const refuse = (problem: Problem) =>
    setRefusal(`${t(`faults:${problem.code}`, { replace: problem.params })} ${t("logoUndone")}`);

  const upload = async (chosen: File | undefined) => {
    if (!chosen) return;
    setRefusal("");
    const picture = await fitting(chosen);
    if (picture) set.mutate(picture, { onError: refuse });
    else setRefusal(`${t("faults:partner.picture_refused")} ${t("logoUndone")}`);
  };

  return (
    <div className="profile-logo">
      <h3>{t("logo")}</h3>
      <p className="profile-note">{t("logoHelp")}</p>
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <div className="profile-logo-row">
        {address ? (
          <img src={address} alt={t("logoAlt")} />
        ) : (
          <span className="profile-logo-none">{t("logoNone")}</span>
        )}
        {mayWrite && (
          <>
            <input
              ref={file}
              type="file"
              className="sr-only"
              tabIndex={-1}
              aria-label={t("logoChoose")}
              accept={ACCEPTED.join(",")}
              onChange={(event) => {
                void upload(event.target.files?.[0]);
                event.target.value = "";
              }}
            />
            <Button
              icon={<ImageUp aria-hidden size={16} strokeWidth={1.75} />}
              loading={set.isPending}
              onClick={() => file.current?.click()}
            >
              {address ? t("logoReplace") : t("logoChoose")}
            </Button>
            {address && (
              <Button
                icon={<Trash2 aria-hidden size={16} strokeWidth={1.75} />}
                loading={remove.isPending}
                onClick={() => {
                  setRefusal("");
                  remove.mutate(undefined, { onError: refuse });
                }}
              >
                {t("logoRemove")}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}
