import { Checkbox, Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { type Terms, useAcceptTerms } from "./queries";
import "./terms.css";

/** The terms with the declaration. It closes by accepting; the only other way is to leave. */
export default function TermsDialog({ terms, onLeave }: { terms: Terms; onLeave: () => void }) {
  const { t } = useTranslation(["terms", "faults", "frame"]);
  // The version it was declared for: newer terms ask again.
  const [declared, setDeclared] = useState("");
  const accept = useAcceptTerms();
  return (
    <Modal
      open
      centered
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={620}
      className="terms"
      title={terms.title}
      footer={
        <>
          <Button onClick={onLeave}>{t("frame:signOut")}</Button>
          <Button
            kind="primary"
            disabled={declared !== terms.version}
            loading={accept.isPending}
            onClick={() => accept.mutate(terms.version)}
          >
            {t("accept")}
          </Button>
        </>
      }
    >
      <p className="terms-lead">{t("lead")}</p>
      {/* A long text scrolls by keyboard too. */}
      <section className="terms-body" aria-label={terms.title} tabIndex={0}>
        {terms.body.split(/\n{2,}/).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </section>
      {accept.error && (
        <Notice tone="danger">
          {t(`faults:${accept.error.code}`, { replace: accept.error.params })} {t("notAccepted")}
        </Notice>
      )}
      <Checkbox
        checked={declared === terms.version}
        onChange={(event) => setDeclared(event.target.checked ? terms.version : "")}
      >
        {t("declaration")}
      </Checkbox>
    </Modal>
  );
}
