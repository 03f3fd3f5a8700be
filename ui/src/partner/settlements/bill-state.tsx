import { Clock, Mail, MailOpen, MailX } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { StatusTag } from "../../components/status-tag";
import { day } from "../../format/date";
import { useLanguage } from "../../i18n";
import type { Settled } from "./settled-queries";

type Bill = Pick<NonNullable<Settled["bill"]>, "state" | "reason" | "at" | "openedAt">;

/** Where a bill stands: sent is what a mail server took. */
export function BillState({ bill }: { bill: Bill }) {
  const { t } = useTranslation("sending");
  const language = useLanguage();
  const { timeZone } = useConfig();
  switch (bill.state) {
    case "queued":
      return (
        <>
          <StatusTag tone="outline" icon={Clock} word={t("queued")} />
          {bill.reason && <span className="settlements-said">{t("tries", { reason: bill.reason })}</span>}
        </>
      );
    case "failed":
      return (
        <>
          <StatusTag tone="danger" icon={MailX} word={t("failed")} />
          <span className="settlements-said">{bill.reason}</span>
        </>
      );
    case "sent":
      return bill.openedAt ? (
        <StatusTag tone="success" icon={MailOpen} word={t("opened")} />
      ) : (
        <StatusTag tone="neutral" icon={Mail} word={t("sentOn", { day: day(bill.at, language, timeZone) })} />
      );
  }
}
