import { type ReactNode, useContext } from "react";
import { useTranslation } from "../i18n/translation";
import { useLocation } from "react-router";
import { Button } from "./button";
import type { Problem } from "../api/problem";
import { Notice } from "./notice";
import { SignInAgain } from "./sign-in-again";

interface RefusalProps {
  problem: Problem;
  /** What was not done. */
  undone?: string | undefined;
  /** Where to come back to after another sign-in; by itself the address that is open. */
  back?: string;
  /** Called before the person leaves to sign in again, so that a form asks no question about what it keeps. */
  onLeave?: () => void;
  /** What can be done about everything else. */
  action?: ReactNode;
}

/** Says what the server refused. Where only another sign-in is missing, the way to it stands beside. */
export function Refusal({ problem, undone, back, onLeave, action }: RefusalProps) {
  const { t } = useTranslation(["common", "faults"]);
  const signInAgain = useContext(SignInAgain);
  const { pathname, search } = useLocation();
  const stale = problem.code === "identity.fresh_login_needed";
  const leave = () => {
    onLeave?.();
    signInAgain.leave(back ?? pathname + search);
  };
  return (
    <Notice
      tone={stale ? "warning" : "danger"}
      action={stale ? <Button onClick={leave}>{t("signInAgain")}</Button> : action}
    >
      {t(`faults:${problem.code}`, { replace: problem.params })} {undone}
    </Notice>
  );
}
