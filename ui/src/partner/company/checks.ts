import type { Rule, RuleObject } from "antd/es/form";
import { useTranslation } from "../../i18n/translation";
import { parsePostCode } from "../../format/official/contact";
import type { Parsed, Reason } from "../../format/official/official";

const REASONS = {
  length: "wrongLength",
  characters: "wrongCharacters",
  form: "wrongForm",
  check_digit: "wrongDigit",
  country: "wrongCountry",
  date: "wrongForm",
  not_issued: "notIssued",
} as const satisfies Record<Reason, string>;

const WEB = /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i;

/** The rules of the form, in the words of the language on screen. The server checks again by the same ones. */
export function useChecks() {
  const { t } = useTranslation(["partner", "fields"]);
  const rule = (wrong: (text: string) => string | undefined): RuleObject => ({
    validator: (_, value: string | undefined) => {
      const reason = value?.trim() ? wrong(value) : undefined;
      return reason === undefined ? Promise.resolve() : Promise.reject(new Error(reason));
    },
  });
  const official = (parse: (text: string) => Parsed) =>
    rule((text) => {
      const parsed = parse(text);
      return parsed.ok ? undefined : t(REASONS[parsed.reason]);
    });
  return {
    official,
    required: { required: true, whitespace: true, message: t("fields:required") } satisfies Rule,
    longest: (max: number): Rule => ({ max, message: t("fields:too_long", { max }) }),
    web: rule((text) => (WEB.test(text.trim()) ? undefined : t("wrongWeb"))),
    colour: rule((text) => (/^#[0-9a-f]{6}$/i.test(text) ? undefined : t("wrongColor"))),
    percent: {
      type: "number",
      required: true,
      min: 0,
      max: 100,
      message: t("wrongPercent"),
    } satisfies Rule,
    /** A post code is right or wrong only where its country is known here. */
    postCode: ({ getFieldValue }: { getFieldValue: (name: string[]) => unknown }) => {
      const country = getFieldValue(["address", "country"]);
      return official((text) =>
        country === "PL" || country === "DE" ? parsePostCode(text, country) : { ok: true, value: text, display: text },
      );
    },
  };
}
