import { MessageSquare, MessageSquareOff } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { Button } from "../../components/button";
import { Refusal } from "../../components/refusal";
import { Section } from "../../components/section";
import { StatusTag } from "../../components/status-tag";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import type { Question } from "./people-questions";
import { useSMS } from "./queries";

export const PROVIDERS = { SMSAPI: "SMSAPI", TWILIO: "Twilio" } as const;

/** Whether messages go by SMS, through whom, and how much of the month's limit is used. */
export function SMS({ mayWrite, onAsk }: { mayWrite: boolean; onAsk: (question: Question) => void }) {
  const { t } = useTranslation(["sms", "common"]);
  const language = useLanguage();
  const { currency } = useConfig();
  const { data, error, refetch } = useSMS();
  return (
    <Section title={t("title")} lead={t("lead")}>
      {error && !data && (
        <Refusal
          problem={error}
          undone={t("loadFailed")}
          action={<Button onClick={() => void refetch()}>{t("common:retry")}</Button>}
        />
      )}
      {!data && !error && <span className="bar" role="status" aria-label={t("common:loading")} />}
      {data && (
        <div className="two-person">
          <StatusTag
            tone={data.on ? "success" : "neutral"}
            icon={data.on ? MessageSquare : MessageSquareOff}
            word={t(data.on ? "on" : "off")}
          />
          {data.on && (
            <p>
              {t(data.sender ? "summary" : "summaryNoSender", {
                provider: PROVIDERS[data.provider],
                sender: data.sender,
              })}
              {data.partCost > 0 &&
                `, ${t("partPrice", { cost: money(BigInt(data.partCost), language) + currencySign(currency, language) })}`}
              <br />
              {t("used", { used: data.usedParts, most: data.monthParts })}
            </p>
          )}
          {mayWrite && (
            <div className="people-actions">
              <Button onClick={() => onAsk({ kind: "sms" })}>{t(data.on ? "change" : "set")}</Button>
              {data.on && <Button onClick={() => onAsk({ kind: "smsOff" })}>{t("turnOff")}</Button>}
            </div>
          )}
        </div>
      )}
    </Section>
  );
}
