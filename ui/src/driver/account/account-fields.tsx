import { useTranslation } from "../../i18n/translation";
import { useConfig } from "../../session/config";
import { Field, Tick } from "../../components/field";
import { useLanguage } from "../../i18n";
import { languageNames } from "../../i18n/languages";
import type { Filled, Wrong } from "./account-form";
import { CitiesField } from "./cities-field";
import { Countries } from "./countries";
import { PhoneField } from "./phone-field";

const cars = { "": "carNone", want_to_rent: "carWant", own: "carOwn", rented: "carRented" } as const;

const activities = {
  unknown: "activityUnknown",
  active: "activityActive",
  plan_to: "activityPlan",
  self: "activitySelf",
  with_partner: "activityWith",
} as const;

const nameOf = ({ name }: { name: string }) => name;

interface FieldsProps {
  filled: Filled;
  /** The city that is typed and not added yet. */
  city: string;
  onCity: (typed: string) => void;
  wrong: Wrong;
  /** The end of the PESEL that was given before. */
  pesel?: string | undefined;
  onChange: (change: Partial<Filled>) => void;
}

/** Everything a driver says of themselves: what is needed first, the rest behind one heading. */
export function AccountFields(props: FieldsProps) {
  const { t } = useTranslation("accounts");
  const { filled, onChange } = props;
  const say = useWrongText(props.wrong);
  return (
    <>
      <p className="account-note">{t("requiredNote")}</p>
      <fieldset>
        <legend>{t("sectionYou")}</legend>
        <div className="account-pair">
          <Field label={t("firstName")} error={say("firstName")} required>
            {(control) => (
              <input
                {...control}
                autoComplete="given-name"
                value={filled.firstName}
                onChange={(event) => onChange({ firstName: event.target.value })}
              />
            )}
          </Field>
          <Field label={t("lastName")} error={say("lastName")} required>
            {(control) => (
              <input
                {...control}
                autoComplete="family-name"
                value={filled.lastName}
                onChange={(event) => onChange({ lastName: event.target.value })}
              />
            )}
          </Field>
        </div>
        <PhoneField phone={filled.phone} error={say("phone")} onChange={(phone) => onChange({ phone })} />
        <Field label={t("email")} error={say("email")} required>
          {(control) => (
            <input
              {...control}
              type="text"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              value={filled.email}
              onChange={(event) => onChange({ email: event.target.value })}
            />
          )}
        </Field>
      </fieldset>
      <fieldset>
        <legend>{t("sectionWork")}</legend>
        <CitiesField
          cities={filled.cities}
          typed={props.city}
          error={say("cities")}
          onChange={(cities) => onChange({ cities })}
          onType={props.onCity}
        />
        <Field label={t("carStatus")} error={say("carStatus")}>
          {(control) => (
            <select
              {...control}
              value={filled.carStatus}
              onChange={(event) => onChange({ carStatus: event.target.value as Filled["carStatus"] })}
            >
              {Object.entries(cars).map(([value, label]) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("activity")} error={say("activity")}>
          {(control) => (
            <select
              {...control}
              value={filled.activity}
              onChange={(event) => onChange({ activity: event.target.value as Filled["activity"] })}
            >
              {Object.entries(activities).map(([value, label]) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </fieldset>
      <fieldset>
        <legend>{t("sectionSummaries")}</legend>
        <Field label={t("summaryLanguage")} error={say("summaryLanguage")}>
          {(control) => (
            <select
              {...control}
              value={filled.summaryLanguage}
              onChange={(event) => onChange({ summaryLanguage: event.target.value as Filled["summaryLanguage"] })}
            >
              {Object.entries(languageNames).map(([language, name]) => (
                <option key={language} value={language} lang={language}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Tick checked={filled.newsletter} onChange={(newsletter) => onChange({ newsletter })}>
          {t("newsletter")}
        </Tick>
        <Tick checked={filled.bailiffSeizure} onChange={(bailiffSeizure) => onChange({ bailiffSeizure })}>
          {t("bailiff")}
        </Tick>
      </fieldset>
      <CompanyFields {...props} say={say} />
    </>
  );
}

/** What only contracts and invoices need. It opens by itself where something in it is wrong. */
function CompanyFields({
  filled,
  pesel,
  wrong,
  onChange,
  say,
}: FieldsProps & { say: (field: string) => string | undefined }) {
  const { t } = useTranslation("accounts");
  const { instance } = useConfig();
  const language = useLanguage();
  const home = instance.toUpperCase();
  const { address } = filled;
  const refused = Object.keys(wrong).some((field) => /^(taxId|pesel|address)/.test(field));
  const given = [pesel, filled.taxId, address.street, address.city, address.postCode].some(Boolean);
  const place = (field: keyof typeof address, label: string, autoComplete: string) => (
    <Field label={label} error={say(`address.${field}`)}>
      {(control) => (
        <input
          {...control}
          autoComplete={autoComplete}
          value={address[field]}
          onChange={(event) => onChange({ address: { ...address, [field]: event.target.value } })}
        />
      )}
    </Field>
  );
  return (
    <details className="account-documents" open={refused || given || undefined}>
      <summary>{t("sectionPapers")}</summary>
      <p className="account-note">{t("papersNote")}</p>
      <Field label={t("taxId")} hint={instance === "de" ? t("taxIdHelpGerman") : t("taxIdHelp")} error={say("taxId")}>
        {(control) => (
          <input
            {...control}
            inputMode={instance === "de" ? "text" : "numeric"}
            autoComplete="off"
            value={filled.taxId}
            onChange={(event) => onChange({ taxId: event.target.value })}
          />
        )}
      </Field>
      {(instance === "pl" || pesel) && (
        <Field label={t("pesel")} hint={pesel ? t("peselKept", { pesel }) : t("peselHelp")} error={say("pesel")}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={filled.pesel}
              onChange={(event) => onChange({ pesel: event.target.value })}
            />
          )}
        </Field>
      )}
      {place("street", t("street"), "address-line1")}
      <div className="account-pair">
        {place("houseNumber", t("houseNumber"), "off")}
        {place("apartmentNumber", t("apartmentNumber"), "off")}
      </div>
      <div className="account-pair">
        {place("postCode", t("postCode"), "postal-code")}
        {place("city", t("town"), "address-level2")}
      </div>
      <Field label={t("country")} error={say("address.country")}>
        {(control) => (
          <select
            {...control}
            autoComplete="country"
            value={address.country || home}
            onChange={(event) => onChange({ address: { ...address, country: event.target.value } })}
          >
            <Countries home={home} language={language} named={nameOf} />
          </select>
        )}
      </Field>
    </details>
  );
}

const special: Record<string, "wrongPhone" | "wrongEmail" | "wrongTaxId" | "wrongPesel" | "wrongPostCode" | undefined> =
  {
    phone: "wrongPhone",
    email: "wrongEmail",
    taxId: "wrongTaxId",
    pesel: "wrongPesel",
    "address.postCode": "wrongPostCode",
  };

/** What is wrong with a field, in words; numbers have words of their own. */
function useWrongText(wrong: Wrong) {
  const { t } = useTranslation(["accounts", "fields"]);
  return (field: string) => {
    const found = wrong[field];
    if (!found) return undefined;
    const own = special[field];
    return own && found.code === "wrong_format" ? t(own) : t(`fields:${found.code}`, { replace: found.params ?? {} });
  };
}
