import { useTranslation } from "../../i18n/translation";
import type { FieldCode } from "../../api/problem";

const said = {
  "email wrong_format": "refusedEmail",
  "phone wrong_format": "refusedPhone",
  "taxId wrong_format": "refusedTaxId",
  "iban wrong_format": "refusedIban",
  "schemaNumber not_allowed": "refusedSchema",
} as const;

/** Why a field of a driver was refused, where its code alone would leave a person guessing. */
export function useRefused() {
  const { t } = useTranslation("drivers");
  return (field: string, code: FieldCode): string | undefined => {
    const key = `${field} ${code}`;
    return key in said ? t(said[key as keyof typeof said]) : undefined;
  };
}
