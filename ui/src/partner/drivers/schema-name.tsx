import { useTranslation } from "../../i18n/translation";
import { useSchemaChoices } from "./queries";

/** By which schema a driver is settled: one of their own, or quietly the partner's default. */
export function SchemaName({ number }: { number: number }) {
  const { t } = useTranslation("drivers");
  const schemas = useSchemaChoices().data;
  const schema = schemas?.find(({ schemaNumber, isDefault }) => (number === 0 ? isDefault : schemaNumber === number));
  if (number !== 0) return schema?.name ?? String(number);
  return (
    <>
      {schema?.name} <span className="driver-quiet">{t("byDefault")}</span>
    </>
  );
}
