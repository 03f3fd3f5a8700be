import { Ban, CircleCheck, CircleDashed, CircleHelp, CircleX, Copy, LoaderCircle, RotateCcw } from "lucide-react";
import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { StatusTag } from "../../components/status-tag";
import { currencySign, money } from "../../format/money";
import { useLanguage } from "../../i18n";
import { type Import, type Key, type Person, type Status, type Sum, useProviders } from "./queries";

const looks = {
  analyzing: { tone: "outline", icon: LoaderCircle },
  preview: { tone: "brand", icon: CircleDashed },
  running: { tone: "outline", icon: LoaderCircle },
  success: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: CircleX },
  duplicated: { tone: "warning", icon: Copy },
  removing: { tone: "outline", icon: LoaderCircle },
  removed: { tone: "neutral", icon: RotateCcw },
  cancelled: { tone: "neutral", icon: Ban },
} as const satisfies Record<Status, object>;

export const statuses = Object.keys(looks) as Status[];

/** Whether a file only waits for somebody to say whose rows it holds. */
export const asksWhose = ({ status, fault }: Pick<Import, "status" | "fault">) =>
  status === "failed" && fault === "imports.provider_needed";

/** Where an import stands, as icon and word. */
export function ImportStatus({ of }: { of: Pick<Import, "status" | "fault"> }) {
  const { t } = useTranslation("imports");
  // Nothing failed yet where one answer is missing.
  if (asksWhose(of)) return <StatusTag tone="warning" icon={CircleHelp} word={t("asks")} />;
  return <StatusTag {...looks[of.status]} word={t(`status_${of.status}`)} />;
}

const ours = ["PARTNER", "INTERNAL", "OTHER"] as const;

/** What providers are called; rows of the partner itself in the language on screen. */
export function useProviderName() {
  const { t } = useTranslation("imports");
  const providers = useProviders().data ?? [];
  return (code: string) => {
    const own = ours.find((one) => one === code);
    return own ? t(`provider_${own}`) : (providers.find((one) => one.code === code)?.name ?? code);
  };
}

/** A provider as a letter and its name. */
export function ProviderName({ code, kind }: { code: string; kind?: string }) {
  const name = useProviderName()(code);
  const kindOf = useKindName();
  return (
    <span className="imports-provider">
      <span aria-hidden>{name.charAt(0)}</span>
      <span>{[name, kind && kindOf(kind)].filter(Boolean).join(", ")}</span>
    </span>
  );
}

/** What a kind of file is called; one of an older release that has no name any more, as its layout called it. */
export function useKindName() {
  const { t, i18n } = useTranslation("imports");
  return (kind: string) => {
    if (kind === "other") return t("kindOther"); // kind_other would be a plural form
    return i18n.exists(`imports:kind_${kind}`) ? t(`kind_${kind as "earnings"}`) : kind;
  };
}

/** The end of what is too long to be read, such as a UUID: enough to compare it with another list. */
const short = (value: string) => (/^[\w-]{20,}$/.test(value) ? `…${value.slice(-6)}` : value);

/** What a file knows somebody by, the surest first. */
export function useKeyText() {
  const { t } = useTranslation("imports");
  return (keys: readonly Key[]) =>
    keys.length > 0
      ? keys.map(({ kind, value }) => t(`key_${kind}`, { value: kind === "id" ? short(value) : value })).join(", ")
      : t("key_name");
}

/** What somebody is called: by name, or else by what the file surely knows of them. */
export function useCalled() {
  const keysOf = useKeyText();
  return ({ name, keys }: { name: string; keys: readonly Key[] }) => name || keysOf(keys.slice(0, 1));
}

/** What a person of several files is called. */
export function useCalledPerson() {
  const called = useCalled();
  return ({ firstName, lastName, identities }: Person) =>
    called({ name: `${firstName} ${lastName}`.trim(), keys: identities[0]?.keys ?? [] });
}

/** Amounts in the language on screen: alone, and with the currency. */
export function useMoney() {
  const language = useLanguage();
  const { currency } = useConfig();
  const sign = currencySign(currency, language);
  const plain = (minor: number) => money(BigInt(minor), language);
  return { plain, full: (minor: number) => plain(minor) + sign, sign: sign.trim() };
}

/** How many amounts of a file are new, and what those that drivers are paid by add up to; the rest only informs. */
export const newOf = (totals: readonly Sum[]) => ({
  count: totals.reduce((all, { newCount }) => all + newCount, 0),
  sum: totals.reduce((all, { counted, newSum }) => all + (counted ? newSum : 0), 0),
});
