import type { terms as english } from "../en/terms";
import type { Words } from "../words";

export const terms: Words<typeof english, "ru"> = {
  lead: "Прочитайте условия и примите их, чтобы продолжить.",
  declaration: "Я ознакомлен(а) с условиями и принимаю их от имени своей компании.",
  accept: "Принять условия",
  notAccepted: "Условия не приняты.",
};
