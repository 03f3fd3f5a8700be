import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import { Field } from "../../components/field";
import { callingCode, dialled, joinPhone, splitPhone } from "../../format/official/countries";
import { useLanguage } from "../../i18n";
import { useConfig } from "../../session/config";
import { Countries } from "./countries";

interface PhoneProps {
  /** The number in its international form. */
  phone: string;
  error: string | undefined;
  onChange: (phone: string) => void;
}

/** A phone number beside the country it is of, so that nobody's number becomes that of another country. */
export function PhoneField({ phone, error, onChange }: PhoneProps) {
  const { t } = useTranslation("accounts");
  const language = useLanguage();
  const home = useConfig().instance.toUpperCase();
  const [{ country, national }, setTyped] = useState(() => splitPhone(phone, home));
  const change = (now: { country: string; national: string }) => {
    setTyped(now);
    onChange(joinPhone(now.country, now.national));
  };
  return (
    <Field label={t("phone")} hint={t("phoneHelp")} error={error} required>
      {(control) => (
        <div className="phone">
          <select
            aria-label={t("phoneCountry")}
            value={country}
            onChange={(event) => change({ country: event.target.value, national })}
          >
            <Countries home={home} language={language} named={dialled} />
          </select>
          <span aria-hidden className="phone-code">
            {callingCode(country)}
            <ChevronDown size={16} strokeWidth={1.75} />
          </span>
          <input
            {...control}
            type="tel"
            autoComplete="tel"
            value={national}
            onChange={(event) => {
              const typed = event.target.value;
              // A whole number, as browsers fill it in, brings its country along.
              const whole = /^(\+|00)/.test(typed.trim()) ? splitPhone(typed, home) : undefined;
              change(whole && whole.national !== typed ? whole : { country, national: typed });
            }}
          />
        </div>
      )}
    </Field>
  );
}
