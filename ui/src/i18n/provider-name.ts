import { i18n } from ".";

const OWN = ["OTHER", "PARTNER", "INTERNAL"] as const;

/** What a provider is called: a brand in all languages, but what partners keep themselves by a word of the language. */
export function providerName({ code, name }: { code: string; name: string }): string {
  const own = OWN.find((one) => one === code);
  return own ? i18n.t(`explain:provider_${own}`) : name;
}
