import { count } from "../../format/number";
import { useLanguage } from "../../i18n";
import { useTranslation } from "../../i18n/translation";
import { useAmounts } from "../../session/amounts";
import { type Fields, fieldsOf, isTrip } from "../../waiting/sender";

const TRIP = ["amount", "payment", "occurredOn", "startAt", "endAt", "startPlace", "endPlace"] as const;
const WORK = ["startedAt", "endedAt", "breakMinutes", "mileageStart", "mileageEnd", "plate", "note"] as const;
export const LABELS = {
  amount: "amount",
  payment: "payment",
  occurredOn: "date",
  startAt: "startAt",
  endAt: "endAt",
  startPlace: "startPlace",
  endPlace: "endPlace",
  startedAt: "startAt",
  endedAt: "endAt",
  breakMinutes: "breaks",
  mileageStart: "mileageStart",
  mileageEnd: "mileageEnd",
  plate: "plate",
  note: "note",
} as const;
type Name = keyof typeof LABELS;

/** The names of what an entry says, in the order in which it is shown. */
export const namesOf = (entry: Fields): readonly Name[] => (isTrip(entry) ? TRIP : WORK);

/** What an entry says, by name. */
export const valuesOf = (entry: Fields) => fieldsOf(entry) as unknown as Record<Name, string | number>;

/** Writes one value of an entry as a person reads it. */
export function useValue() {
  const { t } = useTranslation("tracking");
  const language = useLanguage();
  const { full } = useAmounts();
  return (name: Name, value: string | number) => {
    if (name === "amount") return full(Number(value));
    if (name === "payment") return t(value === "cash" ? "cash" : "card");
    if (value === "" || (value === 0 && name !== "breakMinutes")) return t("none");
    return typeof value === "number" ? count(value, language) : value.replace("T", " ");
  };
}

/** Writes all that an entry says, a line each. */
export function useLines() {
  const { t } = useTranslation("tracking");
  const write = useValue();
  return (entry: Fields) => namesOf(entry).map((name) => `${t(LABELS[name])}: ${write(name, valuesOf(entry)[name])}`);
}
