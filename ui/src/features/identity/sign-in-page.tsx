import { Button, Form, Input } from "antd";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation, useNavigate } from "react-router";
import { Problem } from "../../api/problem";
import { Brand } from "../../app/brand";
import { RETURN, useKnownSession } from "../../app/session";
import { recall, remember } from "../../browser/storage";
import { Notice } from "../../components/notice";
import { LanguageLinks } from "./language-links";
import { Sample } from "./sample";
import "./sign-in.css";

/** Where a person wanted to go, else the start. */
function takeReturn(): string {
  const path = recall("sessionStorage", RETURN);
  remember("sessionStorage", RETURN, null);
  return path ?? "/";
}

export default function SignInPage() {
  const { t } = useTranslation(["signIn", "common", "faults", "fields"]);
  const { state, ending, signIn } = useKnownSession();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  const enter = async (code: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn(code);
      void navigate(takeReturn(), { replace: true });
    } catch (reason) {
      if (!(reason instanceof Problem)) throw reason;
      setProblem(reason);
      setBusy(false);
    }
  };
  const linked = useLinkedCode((code) => void enter(code));

  if (state !== "out" && !busy && !linked && !problem) return <Navigate to="/" replace />;
  return (
    <div className="sign-in">
      <div className="sign-in-side">
        <header>
          <Brand />
        </header>
        <main id="content" className="sign-in-form">
          <h1>{t("welcome")}</h1>
          <p className="sign-in-lead">{t("lead")}</p>
          {problem ? (
            <Notice tone="danger">
              {t("failed")} {t(`faults:${problem.code}`, { replace: problem.params })}
            </Notice>
          ) : (
            ending === "expired" && <Notice tone="warning">{t("expired")}</Notice>
          )}
          <Form<{ code: string }>
            layout="vertical"
            size="large"
            requiredMark={false}
            validateTrigger={[]}
            onFinish={({ code }) => void enter(code.trim())}
          >
            <Form.Item
              name="code"
              label={t("code")}
              rules={[{ required: true, whitespace: true, message: t("fields:required") }]}
            >
              <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} />
            </Form.Item>
            <Button type="primary" htmlType="submit" block loading={busy}>
              {busy ? t("working") : t("submit")}
            </Button>
          </Form>
        </main>
        <LanguageLinks />
      </div>
      <Sample />
    </div>
  );
}

// The code leaves the address bar at once: it must reach neither the history nor a screen that is shared. A link
// opened while this page is already shown changes only the fragment, and counts as well.
function useLinkedCode(take: (code: string) => void): string | null {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const code = new URLSearchParams(hash.slice(1)).get("code");
  const taken = useRef<string>(null);
  const taking = useEffectEvent(take);
  useEffect(() => {
    if (code !== null && code !== taken.current) taking(code);
    taken.current = code;
    if (hash) void navigate(pathname + search, { replace: true });
  }, [code, hash, pathname, search, navigate]);
  return code;
}
