import type { terms as english } from "../en/terms";
import type { Words } from "../words";

export const terms: Words<typeof english, "uk"> = {
  lead: "Прочитайте умови і прийміть їх, щоб продовжити.",
  declaration: "Я ознайомлений(-а) з умовами та приймаю їх від імені своєї компанії.",
  accept: "Прийняти умови",
  notAccepted: "Умови не прийнято.",
};
