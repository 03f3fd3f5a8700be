import { CircleCheck } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { Tick } from "../../components/field";
import type { Finding } from "../../invoices/calls";
import styles from "./invoices.module.css";

interface FindingsProps {
  findings: readonly Finding[];
  accepted: ReadonlySet<string>;
  editable: boolean;
  onAccept: (code: string, yes: boolean) => void;
  /** Opens the invoice that this one resembles beside it. */
  onCompare: (code: Finding["code"], id: string) => void;
}

const tones = { refuse: "danger", confirm: "warning", note: "info" } as const;

/** What was found: what must be put right, what the partner confirms, what is only said. */
export function Findings({ findings, accepted, editable, onAccept, onCompare }: FindingsProps) {
  const { t } = useTranslation("invoices");
  if (findings.length === 0)
    return (
      <p className={styles.fine}>
        <CircleCheck aria-hidden size={16} strokeWidth={1.75} />
        {t("noFindings")}
      </p>
    );
  return (
    <ul className={styles.findings} aria-label={t("findings")}>
      {findings.map((one) => (
        <li key={`${one.code} ${one.field}`}>
          <Notice
            tone={tones[one.severity]}
            {...(one.otherId && {
              action: <Button onClick={() => onCompare(one.code, one.otherId)}>{t("compare")}</Button>,
            })}
          >
            {t(`finding_${one.code}`, { expected: one.expected, found: one.found })}{" "}
            {one.otherId && <Link to={`/invoices/${one.otherId}`}>{t("showOther")}</Link>}
            {one.severity === "confirm" && editable && (
              <Tick checked={accepted.has(one.code)} onChange={(yes) => onAccept(one.code, yes)}>
                {t("confirm")}
              </Tick>
            )}
          </Notice>
        </li>
      ))}
    </ul>
  );
}
