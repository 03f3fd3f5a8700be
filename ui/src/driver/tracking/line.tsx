import { useEffect, useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { useLocation } from "react-router";
import { waitingOfOthers } from "../../browser/storage";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useLanguage } from "../../i18n";
import { useKnownSession, useSession } from "../../session/session";
import { reload, useNewVersion } from "../../session/worker";
import { useCounted } from "../../waiting/counted";
import { useSending, useShown } from "../../waiting/outbox";
import styles from "./tracking.module.css";

/** What is installed from here is in the colours of the fleet, with ways to what this driver writes down. */
function useManifest() {
  const { partner, driver } = useSession();
  const language = useLanguage();
  const code = partner?.code;
  const shortcuts = [driver?.functions.includes(1) && "trip", driver?.functions.includes(2) && "time"]
    .filter(Boolean)
    .join(",");
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    if (!link || !code) return;
    const before = link.href;
    link.href = `/identification/${encodeURIComponent(code)}/manifest?lang=${language}&shortcuts=${shortcuts}`;
    return () => {
      link.href = before;
    };
  }, [code, language, shortcuts]);
}

/** Says above every screen what waits on this device, and what is needed to send it. Nothing where all is well. */
export default function Line({ tracks }: { tracks: boolean }) {
  const { t } = useTranslation(["tracking", "faults"]);
  const counted = useCounted();
  useSending();
  const session = useSession();
  const { signIn, askedToSignIn } = useKnownSession();
  const { pathname, search } = useLocation();
  const { waiting, sending, broken, short, why } = useShown();
  const newer = useNewVersion();
  useManifest();
  const [others] = useState(() => waitingOfOthers(session.user.id));
  const left = waiting.filter(({ state }) => state === "waiting");
  const toDecide = waiting.filter(({ state }) => state !== "waiting");
  const toSend = left.length > 0 && t("waiting", { list: counted(left) });
  const said = [
    session.offline && !askedToSignIn && t("offlineSince"),
    sending && toSend ? t("stateSending") : toSend,
  ].filter(Boolean);
  return (
    <div className={styles.line}>
      {broken && tracks && <Notice tone="warning">{t("keepsNothing")}</Notice>}
      {askedToSignIn ? (
        <Notice tone="warning" action={<Button onClick={() => signIn(pathname + search)}>{t("signIn")}</Button>}>
          {[t("signInToSend"), toSend].filter(Boolean).join(" · ")}
        </Notice>
      ) : (
        said.length > 0 && <Notice tone="info">{said.join(" · ")}</Notice>
      )}
      {short && (
        <Notice tone="warning">
          {short.of === "space"
            ? t("littleSpace", { number: short.left })
            : t("muchWaiting", { number: short.waiting })}
        </Notice>
      )}
      {toSend && why === "tracking.not_linked" && <Notice tone="warning">{t("faults:tracking.not_linked")}</Notice>}
      {toDecide.length > 0 && <Notice tone="warning">{t("toDecide", { list: counted(toDecide) })}</Notice>}
      {others > 0 && <Notice tone="info">{t("othersWaiting", { number: others })}</Notice>}
      {newer && (
        <Notice tone="info" action={<Button onClick={reload}>{t("reload")}</Button>}>
          {t("newVersion")}
        </Notice>
      )}
    </div>
  );
}
