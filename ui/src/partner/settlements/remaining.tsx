import { useEffect, useEffectEvent } from "react";
import { Trans } from "react-i18next";
import { Link } from "react-router";
import { useTranslation } from "../../i18n/translation";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useConfig } from "../../session/config";
import { useSession } from "../../session/session";
import { recall, remember } from "../../browser/storage";
import { today } from "../../format/date";
import { PHONE, useMedia } from "../../browser/media";
import { useToasts } from "../../components/toasts";
import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useLimits } from "./queries";
import "./remaining.css";

const GREETING_SECONDS = 6;
const RADIUS = 7;
const ROUND = 2 * Math.PI * RADIUS;

/** How many settlements are left, always in sight; said once a day as a greeting. */
export function Remaining() {
  const { t } = useTranslation("frame");
  const language = useLanguage();
  const phone = useMedia(PHONE);
  const { data } = useLimits();
  useGreeting(data?.remaining);
  if (!data) return <span className="bar remaining-wait" />;
  const left = Math.max(0, data.remaining);
  const share = data.limit > 0 ? Math.min(1, left / data.limit) : 0;
  // Two weeks are time enough to buy more.
  const low = left === 0 || (data.weeksLeft !== null && data.weeksLeft < 2);
  return (
    <Link
      to="/licenses/purchase"
      className="remaining"
      data-low={low || undefined}
      {...(phone && { "aria-label": t("remainingLabel", { count: left }) })}
    >
      <svg aria-hidden width="18" height="18" viewBox="0 0 18 18">
        <circle cx="9" cy="9" r={RADIUS} className="remaining-track" />
        <circle cx="9" cy="9" r={RADIUS} className="remaining-share" strokeDasharray={`${share * ROUND} ${ROUND}`} />
      </svg>
      <span>
        {phone ? (
          <b>{count(left, language)}</b>
        ) : (
          <Trans ns="frame" i18nKey="remaining" count={left} components={{ b: <b /> }} />
        )}
      </span>
    </Link>
  );
}

function useGreeting(remaining: number | undefined) {
  const { t } = useTranslation("frame");
  const { user } = useSession();
  const show = useToasts();
  const greet = useEffectEvent((left: number) => {
    const Icon = left > 0 ? CircleCheck : TriangleAlert;
    show(GREETING_SECONDS, () => (
      <>
        <Icon
          aria-hidden
          size={20}
          strokeWidth={1.75}
          className={`toast-icon ${left > 0 ? "toast-icon-success" : "toast-icon-warning"}`}
        />
        <div className="toast-text">
          {t("greeting", { name: user.name })}
          <small>{left > 0 ? t("greetingLeft", { count: left }) : t("greetingNone")}</small>
        </div>
      </>
    ));
  });
  const day = today(useConfig().timeZone);
  useEffect(() => {
    const key = `greeted.${user.id}`;
    if (remaining === undefined || recall("localStorage", key) === day) return;
    remember("localStorage", key, day);
    greet(remaining);
  }, [remaining, user, day]);
}
