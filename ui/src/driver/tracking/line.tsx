import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useLocation } from "react-router";
import { waitingOfOthers } from "../../browser/storage";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useKnownSession, useSession } from "../../session/session";
import { reload, useNewVersion } from "../../session/worker";
import { useSending, useShown } from "./outbox";
import styles from "./tracking.module.css";

/** Says above every screen what waits on this device, and what is needed to send it. Nothing where all is well. */
export default function Line() {
  const { t } = useTranslation("tracking");
  useSending();
  const session = useSession();
  const { signIn, askedToSignIn } = useKnownSession();
  const { pathname, search } = useLocation();
  const { waiting, sending, broken } = useShown();
  const newer = useNewVersion();
  const [others] = useState(() => waitingOfOthers(session.user.id));
  const left = waiting.filter(({ state }) => state === "waiting").length;
  const toDecide = waiting.length - left;
  const said = [
    session.offline && !askedToSignIn && t("offlineSince"),
    left > 0 && (sending ? t("stateSending") : t("waiting", { count: left })),
  ].filter(Boolean);
  return (
    <div className={styles.line}>
      {broken && <Notice tone="warning">{t("keepsNothing")}</Notice>}
      {askedToSignIn ? (
        <Notice tone="warning" action={<Button onClick={() => signIn(pathname + search)}>{t("signIn")}</Button>}>
          {[t("signInToSend"), left > 0 && t("waiting", { count: left })].filter(Boolean).join(" · ")}
        </Notice>
      ) : (
        said.length > 0 && <Notice tone="info">{said.join(" · ")}</Notice>
      )}
      {toDecide > 0 && <Notice tone="warning">{t("toDecide", { count: toDecide })}</Notice>}
      {others > 0 && <Notice tone="info">{t("othersWaiting", { count: others })}</Notice>}
      {newer && (
        <Notice tone="info" action={<Button onClick={reload}>{t("reload")}</Button>}>
          {t("newVersion")}
        </Notice>
      )}
    </div>
  );
}
