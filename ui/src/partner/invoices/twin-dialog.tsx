import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Link } from "react-router";
import type { Problem } from "../../api/problem";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { daySpan } from "../../format/date";
import { useLanguage } from "../../i18n";
import { type Opened, useInvoice, usePreview } from "../../invoices/calls";
import { Picture } from "../../invoices/picture";
import { useAmounts } from "../../session/amounts";
import styles from "./invoices.module.css";

/** Another invoice that looks like the one under review. */
export interface Twin {
  id: string;
  /** Whether the partner can say that they are two: same seller, day and amount. */
  canDiffer: boolean;
}

interface TwinDialogProps {
  invoice: Opened;
  twin: Twin;
  problem: Problem | undefined;
  saving: boolean;
  onDiffers: (reason: string) => void;
  onClose: () => void;
}

const REASON_MAX = 1000;

/** Two invoices that look alike, side by side: one that was sent twice, or two, for a reason that stays in the history. */
export function TwinDialog({ invoice, twin, problem, saving, onDiffers, onClose }: TwinDialogProps) {
  const { t } = useTranslation(["invoices", "common", "faults"]);
  const other = useInvoice(twin.id);
  const [reason, setReason] = useState("");
  return (
    <Dialog title={t("twinTitle")} onClose={onClose}>
      <form
        className={styles.twins}
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving && reason.trim() !== "") onDiffers(reason.trim());
        }}
      >
        <div className={styles.pair}>
          <Side title={t("thisOne")} invoice={invoice} />
          {other.data ? <Side title={t("otherOne")} invoice={other.data} /> : <span className="bar" />}
        </div>
        {other.isError && (
          <Notice tone="danger">{t(`faults:${other.error.code}`, { replace: other.error.params })}</Notice>
        )}
        <Link to={`/invoices/${twin.id}`}>{t("showOther")}</Link>
        {twin.canDiffer && (
          <Field label={t("notSameWhy")} hint={t("notSameHint")} required>
            {(control) => (
              <textarea
                {...control}
                rows={2}
                maxLength={REASON_MAX}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
        )}
        {problem && <Notice tone="danger">{t(`faults:${problem.code}`, { replace: problem.params })}</Notice>}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t("common:close")}</Button>
          {twin.canDiffer && (
            <Button kind="primary" type="submit" loading={saving} disabled={reason.trim() === ""}>
              {t("notSame")}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** How wide a page is drawn beside another. */
const WIDTH = 1000;

function Side({ title, invoice }: { title: string; invoice: Opened }) {
  const { t } = useTranslation("invoices");
  const language = useLanguage();
  const { full } = useAmounts();
  const src = usePreview(invoice, 1, WIDTH);
  const facts: [string, string][] = [
    [t("field_number"), invoice.number],
    [t("field_issueDate"), invoice.issueDate && daySpan(invoice.issueDate, invoice.issueDate, language)],
    [t("field_gross"), full(invoice.gross)],
    [t("driver"), `${invoice.lastName} ${invoice.firstName}`],
    [t("state"), t(`state_${invoice.settlementId ? "settled" : invoice.state}`)],
  ];
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || "–"}</dd>
          </div>
        ))}
      </dl>
      {/* What is larger than its frame is moved by arrow keys too. */}
      <div className={styles.page} tabIndex={0} role="group" aria-label={t("pictureOf")}>
        {src === undefined ? <span className="bar" /> : <Picture src={src} alt={t("pictureOf")} />}
      </div>
    </section>
  );
}
