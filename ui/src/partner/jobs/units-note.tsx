import { useEffect, useEffectEvent } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { Notice } from "../../components/notice";
import { useSession } from "../../session/session";
import { useLicence, useSeen } from "./queries";

/** That settlements run out, until there are more; whoever sees it has seen it. */
export function UnitsNote({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation(["jobs", "settlements"]);
  const mayBuy = useSession().may("licences.write");
  const { data } = useLicence();
  const { mutate } = useSeen();
  const unseen = mayBuy && data?.note?.seen === false;
  const see = useEffectEvent(() => mutate());
  useEffect(() => {
    if (unseen) see();
  }, [unseen]);
  if (!data?.note) return null;
  return (
    <Notice
      tone={data.remaining > 0 ? "warning" : "danger"}
      action={
        mayBuy && (
          <Link to="/licenses/purchase" onClick={onLeave}>
            {t("settlements:buyUnits")}
          </Link>
        )
      }
    >
      {data.remaining > 0 ? t("unitsSoon", { number: data.remaining }) : t("unitsNone")}
    </Notice>
  );
}
