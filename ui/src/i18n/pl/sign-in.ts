import type { signIn as english } from "../en/sign-in";
import type { Words } from "../words";

export const signIn: Words<typeof english, "pl"> = {
  title: "Logowanie",
  welcome: "Dzień dobry",
  lead: "Otwórz link do logowania otrzymany od operatora albo wklej tutaj kod.",
  code: "Kod logowania",
  submit: "Zaloguj się",
  working: "Logowanie…",
  expired: "Sesja wygasła. Zaloguj się ponownie, a wrócisz w to samo miejsce.",
  failed: "Logowanie się nie powiodło.",
  languages: "Język",
  promise: "Ile, kiedy i dlaczego.",
  promisePlace: "Na jednym ekranie.",
  sample: "Przykład",
  payable: "Do wypłaty",
  when: "na koncie jutro",
  rides: "Przejazdy z aplikacji",
  cash: "Gotówka, którą masz",
  fees: "Opłata i paliwo",
};
