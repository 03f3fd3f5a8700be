import { useState } from "react";
import { useTranslation } from "../../i18n/translation";
import type { Problem } from "../../api/problem";
import { Field } from "../../components/field";
import { useLanguage } from "../../i18n";
import { type BuyerField, countriesOfEU, isFine, NEEDED } from "./buyer";
import type { Buyer } from "./queries";
import styles from "./licences.module.css";

const FIELDS: readonly { name: BuyerField; complete: string; wide?: boolean }[] = [
  { name: "name", complete: "organization", wide: true },
  { name: "country", complete: "country" },
  { name: "taxId", complete: "off" },
  { name: "street", complete: "address-line1", wide: true },
  { name: "houseNumber", complete: "off" },
  { name: "apartmentNumber", complete: "off" },
  { name: "postCode", complete: "postal-code" },
  { name: "city", complete: "address-level2" },
  { name: "email", complete: "email", wide: true },
];

interface BuyerFieldsProps {
  buyer: Buyer;
  /** What the server refused. */
  problem: Problem | undefined;
  /** Whether everything is to be said at once, as after pressing pay. */
  strict: boolean;
  onChange: (buyer: Buyer) => void;
}

/** Who the invoice is for. What is wrong is said once a field was left. */
export function BuyerFields({ buyer, problem, strict, onChange }: BuyerFieldsProps) {
  const { t } = useTranslation(["licences", "fields"]);
  const countries = countriesOfEU(useLanguage());
  const [left, setLeft] = useState<ReadonlySet<BuyerField>>(new Set());
  const [refused, setRefused] = useState<{ by: Problem; changed: ReadonlySet<BuyerField> }>();
  const errorOf = (name: BuyerField) => {
    const said = problem?.fields.find((field) => field.name === `buyer.${name}`);
    if (said && !(refused?.by === problem && refused?.changed.has(name)))
      return t(`fields:${said.code}`, { replace: said.params ?? {} });
    if ((!strict && !left.has(name)) || isFine(name, buyer)) return undefined;
    return buyer[name].trim() === "" ? t("needed") : t("fields:wrong_format");
  };
  const change = (name: BuyerField, value: string) => {
    if (problem)
      setRefused({ by: problem, changed: new Set([...(refused?.by === problem ? refused.changed : []), name]) });
    onChange({ ...buyer, [name]: value });
  };
  const label = (name: BuyerField) =>
    name === "taxId" ? t(buyer.country === "PL" ? "taxId_PL" : "taxId_EU") : t(name);
  return (
    <fieldset className={styles.buyer}>
      <legend>{t("buyer")}</legend>
      <div>
        {FIELDS.map(({ name, complete, wide }) => (
          <div key={name} className={wide ? styles.wide : undefined}>
            <Field label={label(name)} error={errorOf(name)} required={NEEDED.includes(name)}>
              {(control) =>
                name === "country" ? (
                  <select {...control} value={buyer.country} onChange={({ target }) => change(name, target.value)}>
                    {countries.map(({ code, name: of }) => (
                      <option key={code} value={code}>
                        {of}
                      </option>
                    ))}
                  </select>
                ) : (
                  <input
                    {...control}
                    name={name}
                    autoComplete={complete}
                    {...(name === "email" && {
                      inputMode: "email" as const,
                      autoCapitalize: "none",
                      spellCheck: false,
                    })}
                    value={buyer[name]}
                    onChange={({ target }) => change(name, target.value)}
                    onBlur={() => setLeft(new Set([...left, name]))}
                  />
                )
              }
            </Field>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
