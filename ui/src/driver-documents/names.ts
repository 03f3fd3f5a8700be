import { useTranslation } from "../i18n/translation";
import { useLanguage } from "../i18n";
import type { DocumentType } from "./calls";

/** The types that come with the program. */
const READY = [
  "driving_licence",
  "passenger_licence",
  "taxi_licence",
  "medical_exam",
  "psychological_exam",
  "criminal_record",
  "identity_card",
  "residence_card",
  "work_permit",
  "registration_certificate",
  "insurance",
  "technical_inspection",
] as const;

/** The name of a type in the language on screen; one of the partner's own may have it in another language only. */
export function useTypeName(): (type: Pick<DocumentType, "id" | "names"> | undefined, vehicle?: string) => string {
  const { t } = useTranslation("driverDocuments");
  const language = useLanguage();
  return (type, vehicle) => {
    const ready = READY.find((one) => one === type?.id);
    const name = ready
      ? t(`type.${ready}`)
      : (type?.names[language] ?? Object.values(type?.names ?? {})[0] ?? type?.id ?? "");
    return vehicle ? `${name}, ${vehicle}` : name;
  };
}
