import { type ReactNode, useContext, useState } from "react";
import { useTranslation } from "../i18n/translation";
import { Button } from "./button";
import { Notice } from "./notice";
import { SignInAgain } from "./sign-in-again";

interface FreshFirstProps {
  /** The address at which this is open again after the sign-in. */
  back: string;
  children: ReactNode;
}

/** A form that the server takes only soon after a sign-in: who came earlier is asked before they type anything. */
export function FreshFirst({ back, children }: FreshFirstProps) {
  const { t } = useTranslation("common");
  const signInAgain = useContext(SignInAgain);
  const [lately] = useState(signInAgain.lately);
  if (lately) return children;
  return (
    <Notice tone="info" action={<Button onClick={() => signInAgain.leave(back)}>{t("signInAgain")}</Button>}>
      {t("signInFirst")}
    </Notice>
  );
}
