import { useTranslation } from "../i18n/translation";
import { Navigate, useLocation } from "react-router";
import { Button } from "../components/button";
import { Brand } from "./brand";
import { useKnownSession } from "../session/session";
import { Notice } from "../components/notice";
import { LanguageLinks } from "./language-links";
import { Sample } from "./sample";
import "./sign-in.css";

/** The welcome before signing in, and the place that says why somebody has to sign in again. */
export default function SignInPage() {
  const { t } = useTranslation("signIn");
  const { state, ending, arrival, signIn, register } = useKnownSession();
  const wanted = useLocation().state as unknown;
  if (state !== "out") return <Navigate to="/" replace />;
  return (
    <div className="sign-in">
      <div className="sign-in-side">
        <header>
          <Brand />
        </header>
        <main id="content" className="sign-in-form">
          <h1>{t("welcome")}</h1>
          <p className="sign-in-lead">{t("lead")}</p>
          {ending === "closed" ? (
            <Notice tone="info">{t("closed")}</Notice>
          ) : ending === "elsewhere" ? (
            <Notice tone="info">{t("elsewhere")}</Notice>
          ) : ending === "expired" ? (
            <Notice tone="warning">{t("expired")}</Notice>
          ) : (
            arrival.failed && <Notice tone="danger">{t("failed")}</Notice>
          )}
          <Button
            kind="primary"
            size="large"
            block
            onClick={() => signIn(typeof wanted === "string" ? wanted : undefined)}
          >
            {t("submit")}
          </Button>
          <p className="sign-in-other">
            {t("new")}{" "}
            <button type="button" onClick={register}>
              {t("register")}
            </button>
          </p>
        </main>
        <LanguageLinks />
      </div>
      <Sample />
    </div>
  );
}
