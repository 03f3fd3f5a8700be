import { useEffect, useState } from "react";
import { useLanguage } from "../i18n";
import { useTranslation } from "../i18n/translation";
import { type Finding, type Invoice, useFindings } from "./calls";
import { type FieldName, isField, kindOf } from "./fields";
import { type Draft, sentOf } from "./form";

/** How long nobody types before what is typed is checked. */
const PAUSE_MS = 400;

type Of = Pick<Invoice, "id" | "version">;
type Sent = ReturnType<typeof sentOf>["sent"];

/** What saving would say of what is typed, once nobody has typed for a moment. Undefined: there is nothing to ask about, or no answer. */
export function useFound(of: Of, sent: Sent | undefined): Finding[] | undefined {
  const said = sent ? JSON.stringify(sent) : "";
  const [asked, setAsked] = useState(said);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(said), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const found = useFindings(of, asked === said ? sent : undefined);
  return sent && found;
}

/** An invoice that does not exist yet. */
const NEW: Of = { id: "", version: 0 };

/**
 * What the server would refuse of a complete form, said beside the fields before anything is sent. While somebody types an amount, the
 * sum of all is not spoken of. Without a line nothing is said; the server refuses the same later.
 */
export function useRefused(draft: Draft, of: Of = NEW) {
  const { t } = useTranslation(["invoices", "fields"]);
  const language = useLanguage();
  const [typing, setTyping] = useState<FieldName>();
  const { sent, wrong, missing } = sentOf(draft, language);
  const found = useFound(of, wrong.length + missing.length === 0 ? sent : undefined) ?? [];
  const say = ({ code, expected, found: value }: Finding) => {
    if (code === "ISSUER_IS_PARTNER") return t("sellerIsFleet");
    if (code === "INCOMPLETE") return value === "required" ? t("fieldMissing") : t("fields:wrong_format");
    return t(`finding_${code}`, { expected, found: value });
  };
  const refused: Partial<Record<FieldName, string>> = {};
  for (const one of found) {
    if (one.severity !== "refuse" || !isField(one.field)) continue;
    if (one.code === "SUM" && typing && kindOf(typing) === "amount") continue;
    refused[one.field] ??= say(one);
  }
  return { refused, onTyping: setTyping };
}
