import { CircleDashed, CircleCheck, MessageCircleReply } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../i18n/translation";
import type { components } from "../api/schema";
import { recall, remember } from "../browser/storage";
import { StatusTag } from "../components/status-tag";
import { daySpan, moment } from "../format/date";
import { useLanguage } from "../i18n";
import { useAmounts } from "../session/amounts";
import { useConfig } from "../session/config";
import { useSession } from "../session/session";
import { lineTitle } from "./chain";
import { useProviderNames } from "./queries";
import styles from "./thread.module.css";

export type Question = components["schemas"]["Question"];
type Entry = components["schemas"]["QuestionEntry"];

const looks = {
  open: { tone: "warning", icon: CircleDashed },
  answered: { tone: "success", icon: MessageCircleReply },
  closed: { tone: "neutral", icon: CircleCheck },
} as const;

/** Where a question stands, in words. */
export function QuestionState({ state }: Pick<Question, "state">) {
  const { t } = useTranslation("questions");
  return <StatusTag {...looks[state]} word={t(`state_${state}`)} />;
}

/** What a question is about, in words. */
export function useSubject(audience: "partner" | "driver") {
  const { t } = useTranslation("explain");
  const { t: words } = useTranslation("questions");
  const providerName = useProviderNames();
  const language = useLanguage();
  return (about: Pick<Question, "figure" | "provider" | "rowType" | "rowOn">): string => {
    if (!about.figure) return words("whole");
    const line = lineTitle({ name: about.figure, provider: about.provider }, audience, { t, providerName });
    if (!about.rowType) return line;
    return `${line}: ${t(`type_${about.rowType as "TRIP"}`)}, ${daySpan(about.rowOn, about.rowOn, language)}`;
  };
}

/** What was written, in its order; one's own entries at the other edge. */
export function Entries({ written, me }: { written: Entry[]; me: Entry["author"] }) {
  const { t } = useTranslation("questions");
  const language = useLanguage();
  const { timeZone } = useConfig();
  const nameOf = (entry: Entry) =>
    entry.author === me && me === "driver"
      ? t("you")
      : entry.name || t(entry.author === "partner" ? "fleet" : "driver");
  return (
    <ol className={styles.entries} aria-label={t("thread")}>
      {written.map((entry, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end
          key={at}
          className={[styles.entry, entry.author === me && styles.mine, !entry.text && styles.closing]
            .filter(Boolean)
            .join(" ")}
        >
          {entry.text && <p className={styles.text}>{entry.text}</p>}
          {entry.correction && <Correction of={entry.correction} />}
          <p className={styles.meta}>
            {entry.kind === "closed" && `${t(`closed_${entry.author}`)} · `}
            {nameOf(entry)} · <time dateTime={entry.at}>{moment(entry.at, language, timeZone)}</time>
          </p>
        </li>
      ))}
    </ol>
  );
}

function Correction({ of }: { of: NonNullable<Entry["correction"]> }) {
  const { t } = useTranslation("questions");
  const language = useLanguage();
  const { full } = useAmounts();
  const now = of.removed
    ? t("correctionRemoved")
    : of.settlement > 0
      ? t("correctionSettled", { number: of.settlement })
      : t("correctionWaits");
  return (
    <p className={styles.correction}>
      {t("correction", {
        name: of.name,
        amount: full(of.amount),
        day: daySpan(of.occurredOn, of.occurredOn, language),
      })}
      <small>{now}</small>
    </p>
  );
}

/** A text that stays when the page is left or the session ends, until it is sent. */
export function useKeptText(about: string) {
  const { user } = useSession();
  const key = `draft.${user.id}.question.${about}`;
  const [text, setText] = useState(() => recall("sessionStorage", key) ?? "");
  return [
    text,
    (next: string) => {
      setText(next);
      remember("sessionStorage", key, next || null);
    },
  ] as const;
}
